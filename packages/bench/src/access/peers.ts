import { createMongoAbility, type MongoAbility, type RawRuleOf } from "@casl/ability"
import {
  type Context,
  preparsePolicySet,
  type StatefulAuthorizationCall,
  statefulIsAuthorized
} from "@cedar-policy/cedar-wasm/nodejs"
import type { RepositoryFacts } from "@slipway/domain/forge/access"
import { newEnforcer, newModelFromString } from "casbin"
import { type BenchQuestion, type Verb, world } from "./world.ts"

/**
 * A question with everything loaded before the measurement starts, as functions that decide it without and with
 * reasons.
 */
export interface PreparedQuestion {
  readonly plain: () => boolean
  readonly explained: () => boolean
}

/**
 * An access control library in the comparison. It decides the questions of the benchmark, with an explanation if the
 * library supports one.
 */
export interface Program {
  readonly name: string
  readonly prepare: (question: BenchQuestion) => PreparedQuestion
}

/** The repository attributes that CASL and Cedar receive for a decision. */
interface RepositoryDocument {
  readonly kind: "Repository"
  readonly path: string
  readonly owner: string
  readonly ownerVisibility: string
  readonly private: boolean
  readonly archived: boolean
}

const documents = new Map(
  world.repositories.map((each): [string, RepositoryDocument] => {
    const owner = world.organizations.get(each.owner)
    const path = `${each.owner}/${each.name}`
    return [
      path,
      {
        kind: "Repository",
        path,
        owner: each.owner,
        ownerVisibility: owner?.visibility ?? "private",
        private: each.private,
        archived: each.archived
      }
    ]
  })
)

const reads: Array<Verb> = ["see", "readCode", "seeIssues"]
const writes: Array<Verb> = [...reads, "writeCode"]
const administers: Array<Verb> = [...writes, "admin"]
const owns: Array<Verb> = [...administers, "own"]
const byLevel = [[], reads, writes, administers, owns] as const

type Rules = Array<RawRuleOf<MongoAbility>>

/** Returns the CASL rules of one user, written by hand from the benchmark's data as the CASL manual describes. */
const caslRules = (user: string): Rules => {
  const rules: Rules = []
  const can = (action: ReadonlyArray<Verb>, conditions: Record<string, unknown>, reason: string) =>
    rules.push({ action: [...action], subject: "Repository", conditions, reason })
  const known = world.users.get(user)
  const seen = known === undefined ? ["public"] : ["public", "limited"]
  can(reads, { private: false, ownerVisibility: { $in: seen } }, "public")
  for (const team of world.teams.filter((each) => each.members.includes(user))) {
    const where =
      team.repositories === "all"
        ? { owner: team.organization }
        : { path: { $in: team.repositories.map((name) => `${team.organization}/${name}`) } }
    can(reads, { private: false, owner: team.organization }, "member")
    if (team.owners) can(owns, where, "organization owner")
    else if (team.name === "keepers") can(administers, where, "admin team")
    else if (team.name === "writers") can(writes, where, "code team")
    else can(["see", "seeIssues"], where, "issue team")
  }
  for (const each of world.repositories) {
    const level = each.collaborators.get(user)
    if (level !== undefined) can(byLevel[level], { path: `${each.owner}/${each.name}` }, "collaborator")
  }
  if (known?.admin === true) can(owns, {}, "site administrator")
  rules.push({
    action: "writeCode",
    subject: "Repository",
    inverted: true,
    conditions: { archived: true },
    reason: "archived"
  })
  return rules
}

const casl = (): Program => {
  const abilities = new Map(
    ["anonymous", ...world.users.keys()].map((user) => [
      user,
      createMongoAbility(caslRules(user), { detectSubjectType: (document) => document.kind as "Repository" })
    ])
  )
  const ability = (question: BenchQuestion) => abilities.get(question.user) as MongoAbility
  const document = (question: BenchQuestion) => documents.get(question.repository) as RepositoryDocument
  return {
    name: "@casl/ability 7.0.1",
    prepare: (question) => {
      const mine = ability(question)
      const it = document(question)
      const { verb } = question
      return {
        plain: () => mine.can(verb, it),
        explained: () => {
          const rule = mine.relevantRuleFor(verb, it)
          return rule !== null && !rule.inverted && rule.reason !== undefined
        }
      }
    }
  }
}

/** Selects the facts that the Casbin and Cedar rules use. */
const needed = (facts: RepositoryFacts) => ({
  signedIn: facts.signedIn,
  siteAdmin: facts.siteAdmin,
  organizationOwner: facts.organizationOwner,
  organizationMember: facts.organizationMember,
  teamAdmin: facts.teamAdmin,
  teamAny: facts.teamAny,
  teamCode: facts.teamCode,
  teamIssues: facts.teamIssues,
  collaborator: facts.collaborator,
  private: facts.private,
  archived: facts.archived,
  ownerVisibility: facts.ownerVisibility
})

const seesPublic = (f: string) =>
  `(!${f}.private && (${f}.ownerVisibility == "public" || (${f}.ownerVisibility == "limited" && ${f}.signedIn) || ${f}.organizationMember))`

const rulesInText = (f: string): Readonly<Record<Verb, ReadonlyArray<string>>> => {
  const owner = [`${f}.siteAdmin`, `${f}.organizationOwner`]
  const level = (n: number, team: string) => [
    ...owner,
    `${f}.teamAdmin`,
    `${f}.collaborator >= ${n}`,
    `${f}.${team} >= ${n}`
  ]
  return {
    see: [...level(1, "teamAny"), seesPublic(f)],
    readCode: [...level(1, "teamCode"), seesPublic(f)],
    seeIssues: [...level(1, "teamIssues"), seesPublic(f)],
    writeCode: level(2, "teamCode"),
    admin: [...owner, `${f}.teamAdmin`, `${f}.collaborator >= 3`],
    own: owner
  }
}

const casbin = async (): Promise<Program> => {
  const verbs = Object.entries(rulesInText("r.f"))
  const cases = verbs.map(([verb, conditions]) => {
    const archived = verb === "writeCode" ? " && !r.f.archived" : ""
    return `(r.act == "${verb}" && (${conditions.join(" || ")})${archived})`
  })
  const model = newModelFromString(`
[request_definition]
r = f, act
[policy_definition]
p = act
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.act == p.act && (${cases.join(" || ")})
`)
  const enforcer = await newEnforcer(model)
  for (const [verb] of verbs) await enforcer.addPolicy(verb)
  return {
    name: "casbin 5.51.1",
    prepare: ({ facts, verb }) => {
      const known = needed(facts)
      return {
        plain: () => enforcer.enforceSync(known, verb),
        explained: () => enforcer.enforceExSync(known, verb)[0]
      }
    }
  }
}

const cedar = (): Program => {
  const policies = Object.entries(rulesInText("context")).flatMap(([verb, conditions]) =>
    conditions.map((condition) => `permit(principal, action == Action::"${verb}", resource) when { ${condition} };`)
  )
  policies.push(`forbid(principal, action == Action::"writeCode", resource) when { context.archived };`)
  const parsed = preparsePolicySet("bench", { staticPolicies: policies.join("\n") })
  if (parsed.type !== "success") throw new Error(JSON.stringify(parsed.errors))
  return {
    name: "@cedar-policy/cedar-wasm 4.13.0",
    prepare: (question) => {
      const call: StatefulAuthorizationCall = {
        principal: { type: "User", id: question.user },
        action: { type: "Action", id: question.verb },
        resource: { type: "Repository", id: question.repository },
        context: needed(question.facts) as Context,
        preparsedPolicySetId: "bench",
        entities: []
      }
      const ask = () => {
        const answer = statefulIsAuthorized(call)
        if (answer.type !== "success") throw new Error(JSON.stringify(answer.errors))
        return answer.response.decision === "allow"
      }
      // Cedar always returns the deciding policies: there is no option for it.
      return { plain: ask, explained: ask }
    }
  }
}

/** Returns the libraries that Slipway is compared with. */
export const peers = async (): Promise<ReadonlyArray<Program>> => [casl(), await casbin(), cedar()]
