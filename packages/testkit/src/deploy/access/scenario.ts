import {
  type Ability,
  abilities as abilityNames,
  builtInRoles,
  type Capability,
  capabilities as capabilityNames,
  isBuiltInRole
} from "@slipway/domain/deploy/access"
import { type Action, actions, type Caller, factsAt, policies, rowOf } from "@slipway/domain/deploy/entry"
import { type GrantPlace, type HeldGrant, type Place, rootTeam, TeamId } from "@slipway/domain/deploy/identity"

/** Reports a line of a scenario that cannot be read. */
export class DeployScenarioError extends Error {
  constructor(line: number, why: string) {
    super(`line ${line}: ${why}`)
    this.name = "DeployScenarioError"
  }
}

/** An expectation of a scenario: the answer, and the rules that decide if the line names them. */
export interface DeployExpectation {
  readonly text: string
  readonly answer: string
  readonly by: ReadonlyArray<string>
}

/** The result of one expectation. */
export interface CheckedDeploy {
  readonly scenario: string
  readonly question: DeployExpectation
  readonly got: { readonly answer: string; readonly by: ReadonlyArray<string> }
  readonly passed: boolean
  readonly path: ReadonlyArray<string>
}

interface Thing {
  readonly type: GrantPlace | "server"
  readonly place: Place
}

const within = ["application", "database", "service"] as const
const isWithin = (word: string): word is (typeof within)[number] => (within as ReadonlyArray<string>).includes(word)

/** The users, resources and grants of a scenario. */
class World {
  readonly teams = new Map<string, TeamId>([["root", rootTeam]])
  readonly users = new Set<string>()
  readonly things = new Map<string, Thing>([["root", { type: "team", place: { teamId: rootTeam } }]])
  readonly roles = new Map<string, ReadonlyArray<Capability>>()
  readonly grants: Array<readonly [user: string, HeldGrant]> = []

  /** Reads a line that describes the world; returns why it cannot be read. */
  read([word = "", ...rest]: ReadonlyArray<string>): string | undefined {
    const [name = "", ...more] = rest
    if (word === "role") return this.role(name, more)
    if (word === "grant") return this.grant(rest)
    if (this.users.has(name) || this.things.has(name)) return `\`${name}\` already exists`
    if (word === "user") return void this.users.add(name)
    if (word === "team") {
      const teamId = TeamId.make(this.teams.size)
      this.teams.set(name, teamId)
      return void this.things.set(name, { type: "team", place: { teamId } })
    }
    if (word === "project" || word === "server") {
      const [of, team = "root"] = more
      const teamId = this.teams.get(team)
      if (teamId === undefined || (of !== undefined && of !== "in")) return "expected `in` and a team"
      const place = word === "project" ? { teamId, project: name } : { teamId }
      return void this.things.set(name, { type: word, place })
    }
    return this.inside(word, name, more)
  }

  private inside(word: string, name: string, more: ReadonlyArray<string>): string | undefined {
    const above = this.things.get(name.slice(0, Math.max(0, name.lastIndexOf("/"))))
    if (word === "environment") {
      if (above?.type !== "project") return `\`${name}\` is in no known project`
      const isProtected = more.includes("protected")
      return void this.things.set(name, { type: word, place: { ...above.place, environment: name, isProtected } })
    }
    if (!isWithin(word)) return `\`${word}\` is not expected here`
    if (above?.type !== "environment") return `\`${name}\` is in no known environment`
    return void this.things.set(name, { type: word, place: { ...above.place, resource: name } })
  }

  private role(name: string, named: ReadonlyArray<string>): string | undefined {
    const wrong = named.find((each) => !(capabilityNames as ReadonlyArray<string>).includes(each))
    if (wrong !== undefined) return `\`${wrong}\` is not a capability: use ${capabilityNames.join(", ")}`
    return void this.roles.set(name, named as ReadonlyArray<Capability>)
  }

  private grant([user = "", role = "", on = ""]: ReadonlyArray<string>): string | undefined {
    const thing = this.things.get(on)
    if (!this.users.has(user)) return `\`${user}\` is not a user`
    if (thing === undefined || thing.type === "server") return `\`${on}\` is not a place for grants`
    const held = isBuiltInRole(role) ? builtInRoles[role] : this.roles.get(role)
    if (held === undefined) return `\`${role}\` is not a role`
    const { type } = thing
    const placeUuid = type === "team" ? null : on
    return void this.grants.push([user, { teamId: thing.place.teamId, placeType: type, placeUuid, capabilities: held }])
  }

  /** Returns a user as a caller; members of a team are those with a grant in it. */
  caller(user: string, abilities: ReadonlyArray<Ability>): Caller {
    const grants = this.grants.flatMap(([who, grant]) => (who === user ? [grant] : []))
    const teams = [...new Set(grants.map(({ teamId }) => teamId))]
    const access = { teamId: teams[0] ?? rootTeam, teams, grants, projects: null }
    return { tokenUuid: user, abilities, accountUuid: null, access }
  }
}

const isAbility = (word: string): word is Ability => (abilityNames as ReadonlyArray<string>).includes(word)

const decide = (world: World, words: ReadonlyArray<string>, fail: (why: string) => never) => {
  const [user = "", ...rest] = words
  if (!world.users.has(user)) return fail(`\`${user}\` is not a user`)
  const limited = rest[0] === "with"
  const held: Array<Ability> = []
  let at = limited ? 1 : 0
  for (let word = rest[at]; limited && word !== undefined && isAbility(word); word = rest[++at]) held.push(word)
  const [action = "", object, ...more] = rest.slice(at)
  if (!Object.hasOwn(actions, action)) return fail(`\`${action}\` is not an action`)
  if (more.length > 0) return fail(`\`${more[0]}\` is not expected here`)
  const caller = world.caller(user, limited ? held : ["root"])
  const isPlatform = rowOf(action as Action).on === "platform"
  const thing = object === undefined ? undefined : world.things.get(object)
  if (!isPlatform && thing === undefined) return fail(`\`${object ?? ""}\` is not a resource of the scenario`)
  const place = isPlatform ? { teamId: caller.access === "everything" ? rootTeam : caller.access.teamId } : thing?.place
  const decision = policies[action as Action].decide(factsAt(caller, place !== undefined, place))
  return decision.allowed
    ? { answer: "allowed", by: decision.by, path: [] }
    : { answer: String(decision.answer.status), by: decision.by, path: [decision.answer.message] }
}

/**
 * Checks a scenario of deploy: lines that describe the world, and expectations such as `bob application.deploy
 * shop/production/web -> 403`.
 *
 * `user ann` · `team acme` · `project shop in acme` · `environment shop/production protected` · `application
 * shop/production/web` · `role restarter view operate` · `grant ann developer shop`. `ann with read application.read …`
 * limits the abilities of the token. `#` starts a comment. Throws `DeployScenarioError` with the line.
 */
export const checkDeployScenario = (scenario: string, text: string): ReadonlyArray<CheckedDeploy> => {
  const world = new World()
  const checked: Array<CheckedDeploy> = []
  for (const [index, full] of text.split("\n").entries()) {
    const line = full.replace(/(^|\s)#.*$/, "").trim()
    if (line === "") continue
    const fail = (why: string): never => {
      throw new DeployScenarioError(index + 1, why)
    }
    const [asked = "", expected] = line.split("->").map((part) => part.trim())
    if (expected === undefined) {
      const wrong = world.read(asked.split(/\s+/))
      if (wrong !== undefined) fail(wrong)
      continue
    }
    const [answer = "", by, ...rules] = expected.split(/\s+/)
    if (answer !== "allowed" && !/^4\d\d$/.test(answer)) fail("expected `allowed` or a status")
    if (by !== undefined && by !== "by") fail(`\`${by}\` is not expected here`)
    const { path, ...got } = decide(world, asked.split(/[\s,]+/), fail)
    const isSame = rules.every((rule) => got.by.includes(rule))
    const question = { text: line, answer, by: rules }
    checked.push({ scenario, question, got, passed: got.answer === answer && isSame, path })
  }
  return checked
}
