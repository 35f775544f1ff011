import { closest } from "@slipway/access/proof"
import {
  builtInRoles,
  type Capability,
  capabilities as capabilityNames,
  isBuiltInRole
} from "@slipway/domain/deploy/access"
import type { Caller } from "@slipway/domain/deploy/entry"
import { type GrantPlace, type HeldGrant, type Place, rootTeam, TeamId } from "@slipway/domain/deploy/identity"

/** The reason why a line is invalid, with the invalid word and the words that are valid in its place. */
export interface InvalidLine {
  readonly why: string
  /** The invalid word; undefined if the whole line is invalid. */
  readonly word?: string | undefined
  readonly known?: Iterable<string>
}

/** A line of a scenario is invalid; the message contains the line, the column and a similar valid word. */
export class DeployScenarioError extends Error {
  /** The line, from 1. */
  readonly line: number
  /** The columns of the invalid word, or of the whole line: from 0, and the column after the end. */
  readonly start: number
  readonly end: number
  /** A similar valid word. */
  readonly suggestion: string | undefined
  /** The reason with the suggestion, without the location. */
  readonly why: string

  constructor(line: number, text: string, { known = [], why, word }: InvalidLine) {
    const suggestion = word === undefined ? undefined : closest(word, known)
    const reason = suggestion === undefined ? why : `${why}; did you mean \`${suggestion}\`?`
    const words = deployWordsOf(text)
    const [first, last] = [words[0], words.at(-1)]
    const found = words.find((each) => each.text === word)
    const start = found?.start ?? first?.start ?? 0
    super(`${line}:${start + 1}: ${reason}`)
    this.name = "DeployScenarioError"
    this.line = line
    this.start = start
    this.end = found?.end ?? last?.end ?? start
    this.suggestion = suggestion
    this.why = reason
  }
}

/** A word of a line, with its first column and the column after its end, from 0. */
export interface DeployWord {
  readonly text: string
  readonly start: number
  readonly end: number
}

const withoutComment = (line: string): string => line.replace(/(^|\s)#.*$/, "")

/** Returns the words of a line without its comment. A comma separates words. */
export const deployWordsOf = (line: string): ReadonlyArray<DeployWord> =>
  [...withoutComment(line).matchAll(/->|[^\s,]+/g)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length
  }))

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

/** The first words of the lines that describe the world of an access scenario. */
export const deployWords = [
  "user",
  "group",
  "team",
  "project",
  "server",
  "environment",
  "application",
  "database",
  "service",
  "role",
  "grant"
] as const

const isDeployWord = (word: string): word is (typeof deployWords)[number] =>
  (deployWords as ReadonlyArray<string>).includes(word)

/** Returns the reason for a word that is not expected. */
export const unexpected = (word: string): InvalidLine => ({ why: `\`${word}\` is not expected here`, word })

const onlyWords = ([extra]: ReadonlyArray<string>): InvalidLine | undefined =>
  extra === undefined ? undefined : unexpected(extra)

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

  /** Reads a line that describes the world. Returns the reason for an invalid line. */
  read([word = "", ...rest]: ReadonlyArray<string>): InvalidLine | undefined {
    const [name = "", ...more] = rest
    if (!isDeployWord(word)) return { ...unexpected(word), known: deployWords }
    if (name === "") return { why: `a ${word} needs a name` }
    if (word === "role") return this.#role(name, more)
    if (word === "grant") return this.#grant(rest)
    if (this.users.has(name) || this.groups.has(name) || this.resources.has(name)) {
      return { why: `\`${name}\` already exists`, word: name }
    }
    switch (word) {
      case "user":
        return onlyWords(more) ?? void this.users.add(name)
      case "group":
        return this.#group(name, more)
      case "team": {
        const teamId = TeamId.make(this.#teams.size)
        const extra = onlyWords(more)
        if (extra !== undefined) return extra
        this.#teams.set(name, teamId)
        return void this.resources.set(name, { type: "team", place: { teamId } })
      }
      case "project":
      case "server":
        return this.#inTeam(word, name, more)
      case "environment":
        return this.#environment(name, more)
      default:
        return this.#inEnvironment(word, name, more)
    }
  }

  #inTeam(type: "project" | "server", name: string, more: ReadonlyArray<string>): InvalidLine | undefined {
    const [of, team = "root", ...extra] = more
    const teamId = this.#teams.get(team)
    if (of !== undefined && of !== "in") return { why: "expected `in` and a team", word: of, known: ["in"] }
    if (teamId === undefined) return { why: `\`${team}\` is not a team`, word: team, known: this.#teams.keys() }
    if (of !== undefined && more.length === 1) return { why: "expected `in` and a team" }
    const place = type === "project" ? { teamId, project: name } : { teamId }
    return onlyWords(extra) ?? void this.resources.set(name, { type, place })
  }

  #above(name: string): WorldResource | undefined {
    return this.resources.get(name.slice(0, Math.max(0, name.lastIndexOf("/"))))
  }

  #environment(name: string, [marked, ...extra]: ReadonlyArray<string>): InvalidLine | undefined {
    const above = this.#above(name)
    if (above?.type !== "project") return { why: `\`${name}\` is in no known project`, word: name }
    if (marked !== undefined && marked !== "protected") return { ...unexpected(marked), known: ["protected"] }
    const place = { ...above.place, environment: name, isProtected: marked === "protected" }
    return onlyWords(extra) ?? void this.resources.set(name, { type: "environment", place })
  }

  #inEnvironment(
    type: "application" | "database" | "service",
    name: string,
    more: ReadonlyArray<string>
  ): InvalidLine | undefined {
    const above = this.#above(name)
    if (above?.type !== "environment") return { why: `\`${name}\` is in no known environment`, word: name }
    return onlyWords(more) ?? void this.resources.set(name, { type, place: { ...above.place, resource: name } })
  }

  #group(name: string, members: ReadonlyArray<string>): InvalidLine | undefined {
    const word = members.find((each) => !this.users.has(each))
    if (word !== undefined) return { why: `\`${word}\` is not a user`, word, known: this.users }
    return void this.groups.set(name, members)
  }

  #role(name: string, named: ReadonlyArray<string>): InvalidLine | undefined {
    if (isBuiltInRole(name)) return { why: `\`${name}\` is a built-in role`, word: name }
    if (this.roles.has(name)) return { why: `\`${name}\` already exists`, word: name }
    const word = named.find((each) => !(capabilityNames as ReadonlyArray<string>).includes(each))
    if (word !== undefined) {
      const why = `\`${word}\` is not a capability: use ${capabilityNames.join(", ")}`
      return { why, word, known: capabilityNames }
    }
    return void this.roles.set(name, named as ReadonlyArray<Capability>)
  }

  #grant([to = "", role = "", on = "", ...extra]: ReadonlyArray<string>): InvalidLine | undefined {
    if (on === "") return { why: "expected a user or group, a role and a place" }
    const resource = this.resources.get(on)
    if (!this.users.has(to) && !this.groups.has(to)) {
      return { why: `\`${to}\` is not a user or group`, word: to, known: [...this.users, ...this.groups.keys()] }
    }
    const capabilities = isBuiltInRole(role) ? builtInRoles[role] : this.roles.get(role)
    if (capabilities === undefined) {
      return {
        why: `\`${role}\` is not a role`,
        word: role,
        known: [...Object.keys(builtInRoles), ...this.roles.keys()]
      }
    }
    if (resource === undefined || resource.type === "server") {
      return { why: `\`${on}\` is not a place for grants`, word: on, known: this.resources.keys() }
    }
    return onlyWords(extra) ?? void this.grants.push({ to, role, on, grant: this.grantOn(on, capabilities) })
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
  /** Reports the line as invalid. */
  readonly fail: (invalid: InvalidLine) => never
}

const expectationOf = (
  line: number,
  text: string,
  asked: string,
  expected: string,
  fail: (invalid: InvalidLine) => never
): DeployLine => {
  const [answer = "", by, ...rules] = expected.split(/[\s,]+/)
  if (answer !== "allowed" && !/^4\d\d$/.test(answer)) {
    return fail({ why: "expected `allowed` or a status", word: answer, known: ["allowed"] })
  }
  if (by !== undefined && by !== "by") return fail({ ...unexpected(by), known: ["by"] })
  return { line, text, asked: asked.split(/[\s,]+/), answer, by: rules.filter((rule) => rule !== ""), fail }
}

const readLine = (
  world: DeployWorld,
  number: number,
  full: string,
  expect: (world: DeployWorld, line: DeployLine) => void
): void => {
  const fail = (invalid: InvalidLine): never => {
    throw new DeployScenarioError(number, full, invalid)
  }
  const line = withoutComment(full).trim()
  const [asked = "", expected, ...more] = line.split("->").map((part) => part.trim())
  if (more.length > 0) fail({ why: "a line has one expected answer; remove the second `->`" })
  if (expected !== undefined) {
    expect(world, expectationOf(number, line, asked, expected, fail))
    return
  }
  const invalid = world.read(asked.split(/\s+/))
  if (invalid !== undefined) fail(invalid)
}

/**
 * Reads an access scenario: its world, and its expectations in order. The world of an expectation contains only the
 * lines above it.
 *
 * Calls `expect` for each expectation, and `report` for each invalid line; by default, throws its
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
  for (const [index, full] of text.split(/\r?\n/).entries()) {
    if (withoutComment(full).trim() === "") continue
    try {
      readLine(world, index + 1, full, expect)
    } catch (problem) {
      if (!(problem instanceof DeployScenarioError)) throw problem
      report(problem)
    }
  }
  return world
}
