import { type Condition, conditionsOn, Level, levels, type Rule } from "@slipway/access"
import { itemVocabularies } from "../items.ts"
import {
  callerVocabulary,
  type RepositoryFacts,
  scopeFacts,
  type TeamFacts,
  type UserFacts,
  unitFacts
} from "./facts.ts"
import { ScopeLevel } from "./Scope.ts"
import { maxLevel, unitKeys } from "./Unit.ts"

type Facts = RepositoryFacts & TeamFacts & UserFacts & { readonly found: boolean }

const { all, any, atLeast, flag, not } = conditionsOn<Facts>()

// BOUNDARY: names from the tables of facts; `Diagrams` checks them against the vocabulary.
const on = (fact: string): Condition<Facts> => ({ op: "flag", fact })
const reaches = (fact: string, level: number): Condition<Facts> => ({ op: "atLeast", fact, level })
const implies = (one: Condition<Facts>, other: Condition<Facts>) => any(not(one), other)

/** The names of the boolean facts about relations between the caller and a resource, such as membership. */
const relations = [
  "organizationMember",
  "organizationOwner",
  "mayCreateRepositories",
  "teamMember",
  "self",
  "tied",
  "blocked",
  "blocksCaller",
  "belongsToUser",
  "lent",
  "repositoryOwner",
  "teamAdmin",
  "author",
  "commentAuthor",
  "reviewer",
  "worker"
] as const

const granted = ["collaborator", "taskLevel", "teamAny", ...unitKeys.map((unit) => unitFacts[unit].team)] as const

const ofCaller: ReadonlySet<string> = new Set([...Object.keys(callerVocabulary), ...relations, ...granted])

/** Returns whether a fact depends on the caller; all other facts describe only the resource or the site. */
export const isAboutCaller = (fact: string): boolean => ofCaller.has(fact)

const needSignIn = [
  "siteAdmin",
  "restricted",
  "actionsTask",
  "secondFactor",
  "awaitsApproval",
  "prohibited",
  "mustChangePassword",
  "withPassword",
  "mayCreateOrganizations",
  "mayEditGitHooks",
  "publicOnly",
  ...relations
]

const fullScope = all(...Object.values(scopeFacts).map((fact) => reaches(fact, ScopeLevel.write)))
const itemFlags = [...new Set(Object.values(itemVocabularies).flatMap((each) => Object.keys(each)))].filter(
  (fact) => fact !== "self"
)

const onUnit = (level: number): Condition<Facts> =>
  any(...unitKeys.map((unit) => all(on(unitFacts[unit].on), reaches(unitFacts[unit].team, level))))

const rule = (because: string, ...conditions: ReadonlyArray<Condition<Facts>>) =>
  conditions.map((when, at): Rule<Facts> => ({ id: `${because} (${at + 1})`, when, because }))

/** A condition that the facts of every request satisfy, for one resource type, or for all types with these facts. */
export interface FactRelation extends Rule<Facts> {
  readonly on?: "packageOwner"
}

/**
 * The conditions that the facts of every request satisfy, such as "an anonymous caller has no grants".
 *
 * The prover of security statements ignores combinations of facts that violate them. A condition applies to each
 * resource type that has all of its facts.
 */
export const consistency: ReadonlyArray<FactRelation> = [
  ...rule(
    "an anonymous caller has no account, no grants and no token",
    ...needSignIn.map((fact) => implies(not(flag("signedIn")), not(on(fact)))),
    ...granted.map((fact) => implies(not(flag("signedIn")), not(reaches(fact, Level.read)))),
    implies(not(flag("signedIn")), flag("active")),
    implies(not(flag("signedIn")), fullScope)
  ),
  ...rule(
    "a sign-in with a password has every scope",
    implies(flag("withPassword"), all(fullScope, not(flag("publicOnly"))))
  ),
  ...rule("only a job has the level of a job's token", implies(atLeast("taskLevel", Level.read), flag("actionsTask"))),
  ...rule(
    "a job acts as an account without roles, password or public-only token",
    ...["siteAdmin", "restricted", "withPassword", "publicOnly", "repositoryOwner", "organizationMember"].map((fact) =>
      implies(flag("actionsTask"), not(on(fact)))
    )
  ),
  ...rule(
    "owners and members of teams are members of the organization",
    ...["organizationOwner", "teamMember", "teamAdmin", "mayCreateRepositories"].map((fact) =>
      implies(on(fact), flag("organizationMember"))
    ),
    ...["teamAny", ...unitKeys.map((unit) => unitFacts[unit].team)].map((fact) =>
      implies(reaches(fact, Level.read), flag("organizationMember"))
    )
  ),
  ...rule(
    "owners are the members of the Owners team, which creates repositories",
    implies(flag("organizationOwner"), on("mayCreateRepositories")),
    implies(all(flag("ownersTeam"), flag("teamMember")), flag("organizationOwner")),
    implies(all(flag("ownersTeam"), flag("organizationOwner")), flag("teamMember"))
  ),
  ...rule(
    "the level on any unit is the highest on a unit that is on",
    ...levels
      .slice(1)
      .flatMap((level) => [
        implies(onUnit(level), atLeast("teamAny", level)),
        implies(atLeast("teamAny", level), onUnit(level))
      ])
  ),
  ...rule(
    "a team at admin level has the highest level of every unit, and no team has more",
    ...unitKeys.flatMap((unit) => {
      const { team } = unitFacts[unit]
      const above = levels.find((level) => level > maxLevel(unit))
      return [
        implies(flag("teamAdmin"), reaches(team, maxLevel(unit))),
        ...(above === undefined ? [] : [not(reaches(team, above))])
      ]
    })
  ),
  ...rule(
    "a repository has one owner, a user or an organization; no user blocks themselves",
    implies(flag("repositoryOwner"), not(flag("organizationMember"))),
    implies(flag("repositoryOwner"), not(flag("blocked")))
  ),
  ...rule("a user has no teams", implies(flag("self"), not(flag("organizationMember")))).map(
    (each): FactRelation => ({ ...each, on: "packageOwner" })
  ),
  ...rule("only an organization has members", implies(flag("belongsToUser"), flag("userIsOrganization"))),
  ...rule(
    "a missing resource has no properties",
    ...itemFlags.map((fact) => implies(not(flag("found")), not(on(fact))))
  )
]
