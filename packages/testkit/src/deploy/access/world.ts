import {
  builtInRoles,
  type Capability,
  capabilities as capabilityNames,
  isBuiltInRole
} from "@slipway/domain/deploy/access"
import type { Caller } from "@slipway/domain/deploy/entry"
import { type GrantPlace, type HeldGrant, type Place, rootTeam, TeamId } from "@slipway/domain/deploy/identity"

/** A line of a scenario is invalid; the message contains the line. */
export class DeployScenarioError extends Error {
  /** The line, from 1. */
  readonly line: number
  readonly why: string

  constructor(line: number, why: string) {
    super(`line ${line}: ${why}`)
    this.name = "DeployScenarioError"
    this.line = line
    this.why = why
  }
}

/** The type of a resource in an access scenario. */
export type WorldType = GrantPlace | "server"

/** A resource of an access scenario: its type, and its place (team, project and environment). */
export interface WorldResource {
  readonly type: WorldType
  readonly place: Place
}

/** A grant of an access scenario: the user or group, the names of the role and of the place, and the grant itself. */
export interface WorldGrant {
  readonly to: string
  readonly role: string
  readonly on: string
  readonly grant: HeldGrant
}

const within = ["application", "database", "service"] as const
const isWithin = (word: string): word is (typeof within)[number] => (within as ReadonlyArray<string>).includes(word)

/** The test world of an access scenario: its users, resources and grants. */
export class DeployWorld {
  readonly users = new Set<string>()
  /** The members of each group. */
  readonly groups = new Map<string, ReadonlyArray<string>>()
  /** The resources by name. The root team always exists. */
  readonly resources = new Map<string, WorldResource>([["root", { type: "team", place: { teamId: rootTeam } }]])
  readonly roles = new Map<string, ReadonlyArray<Capability>>()
  readonly grants: Array<WorldGrant> = []
  readonly #teams = new Map<string, TeamId>([["root", rootTeam]])

  /** Reads a line that describes the world. Returns the error message for an invalid line. */
  read([word = "", ...rest]: ReadonlyArray<string>): string | undefined {
    const [name = "", ...more] = rest
    if (word === "role") return this.#role(name, more)
    if (word === "grant") return this.#grant(rest)
    if (this.users.has(name) || this.groups.has(name) || this.resources.has(name)) return `\`${name}\` already exists`
    if (word === "user") return void this.users.add(name)
    if (word === "group") return this.#group(name, more)
    if (word === "team") {
      const teamId = TeamId.make(this.#teams.size)
      this.#teams.set(name, teamId)
      return void this.resources.set(name, { type: "team", place: { teamId } })
    }
    if (word === "project" || word === "server") {
      const [of, team = "root"] = more
      const teamId = this.#teams.get(team)
      if (teamId === undefined || (of !== undefined && of !== "in")) return "expected `in` and a team"
      const place = word === "project" ? { teamId, project: name } : { teamId }
      return void this.resources.set(name, { type: word, place })
    }
    return this.#inside(word, name, more)
  }

  #inside(word: string, name: string, more: ReadonlyArray<string>): string | undefined {
    const above = this.resources.get(name.slice(0, Math.max(0, name.lastIndexOf("/"))))
    if (word === "environment") {
      if (above?.type !== "project") return `\`${name}\` is in no known project`
      const isProtected = more.includes("protected")
      return void this.resources.set(name, { type: word, place: { ...above.place, environment: name, isProtected } })
    }
    if (!isWithin(word)) return `\`${word}\` is not expected here`
    if (above?.type !== "environment") return `\`${name}\` is in no known environment`
    return void this.resources.set(name, { type: word, place: { ...above.place, resource: name } })
  }

  #group(name: string, members: ReadonlyArray<string>): string | undefined {
    const wrong = members.find((each) => !this.users.has(each))
    return wrong === undefined ? void this.groups.set(name, members) : `\`${wrong}\` is not a user`
  }

  #role(name: string, named: ReadonlyArray<string>): string | undefined {
    const wrong = named.find((each) => !(capabilityNames as ReadonlyArray<string>).includes(each))
    if (wrong !== undefined) return `\`${wrong}\` is not a capability: use ${capabilityNames.join(", ")}`
    return void this.roles.set(name, named as ReadonlyArray<Capability>)
  }

  #grant([to = "", role = "", on = ""]: ReadonlyArray<string>): string | undefined {
    const resource = this.resources.get(on)
    if (!this.users.has(to) && !this.groups.has(to)) return `\`${to}\` is not a user or group`
    if (resource === undefined || resource.type === "server") return `\`${on}\` is not a place for grants`
    const capabilities = isBuiltInRole(role) ? builtInRoles[role] : this.roles.get(role)
    if (capabilities === undefined) return `\`${role}\` is not a role`
    return void this.grants.push({ to, role, on, grant: this.grantOn(on, capabilities) })
  }

  /** Returns a grant of capabilities on a resource of this world. */
  grantOn(on: string, capabilities: ReadonlyArray<Capability>): HeldGrant {
    const { place, type } = this.resources.get(on) ?? { type: "server", place: { teamId: rootTeam } }
    if (type === "server") throw new Error(`\`${on}\` is not a place for grants`)
    return { teamId: place.teamId, placeType: type, placeUuid: type === "team" ? null : on, capabilities }
  }

  /** Returns the name of a team. */
  teamName(teamId: TeamId): string {
    return [...this.#teams].find(([, id]) => id === teamId)?.[0] ?? "root"
  }

  /** Returns a user as the caller of an action. A user is a member of each team in which the user has a grant. */
  caller(user: string, abilities: Caller["abilities"] = ["root"], more: ReadonlyArray<HeldGrant> = []): Caller {
    const isTo = (to: string) => to === user || this.groups.get(to)?.includes(user) === true
    const grants = [...this.grants.flatMap((each) => (isTo(each.to) ? [each.grant] : [])), ...more]
    const teams = [...new Set(grants.map(({ teamId }) => teamId))]
    const access = { teamId: teams[0] ?? rootTeam, teams, grants, projects: null }
    return { tokenUuid: user, abilities, accountUuid: null, access }
  }
}

/** A line of a scenario with an expectation that has not been checked yet. */
export interface DeployLine {
  /** The line in the file, from 1. */
  readonly line: number
  readonly text: string
  readonly asked: ReadonlyArray<string>
  readonly answer: string
  readonly by: ReadonlyArray<string>
  /** Reports the line as unreadable. */
  readonly fail: (why: string) => never
}

const expectationOf = (
  line: number,
  text: string,
  asked: string,
  expected: string,
  fail: (why: string) => never
): DeployLine => {
  const [answer = "", by, ...rules] = expected.split(/\s+/)
  if (answer !== "allowed" && !/^4\d\d$/.test(answer)) fail("expected `allowed` or a status")
  if (by !== undefined && by !== "by") fail(`\`${by}\` is not expected here`)
  return { line, text, asked: asked.split(/[\s,]+/), answer, by: rules, fail }
}

const readLine = (
  world: DeployWorld,
  number: number,
  line: string,
  expect: (world: DeployWorld, line: DeployLine) => void
): void => {
  const fail = (why: string): never => {
    throw new DeployScenarioError(number, why)
  }
  const [asked = "", expected] = line.split("->").map((part) => part.trim())
  if (expected !== undefined) {
    expect(world, expectationOf(number, line, asked, expected, fail))
    return
  }
  const wrong = world.read(asked.split(/\s+/))
  if (wrong !== undefined) fail(wrong)
}

/**
 * Reads an access scenario: its world, and its expectations in order. The world of an expectation contains only the
 * lines above it.
 *
 * Calls `expect` for each expectation, and `report` for each line that cannot be read; by default, throws its
 * `DeployScenarioError`.
 */
export const readDeployScenario = (
  text: string,
  expect: (world: DeployWorld, line: DeployLine) => void = () => undefined,
  report: (problem: DeployScenarioError) => void = (problem) => {
    throw problem
  }
): DeployWorld => {
  const world = new DeployWorld()
  for (const [index, full] of text.split("\n").entries()) {
    const line = full.replace(/(^|\s)#.*$/, "").trim()
    if (line === "") continue
    try {
      readLine(world, index + 1, line, expect)
    } catch (problem) {
      if (!(problem instanceof DeployScenarioError)) throw problem
      report(problem)
    }
  }
  return world
}
