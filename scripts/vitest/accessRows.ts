import { type Condition, fold, type Policy, type Vocabulary } from "@slipway/access"
import {
  type Action,
  type ActionName,
  actionNames,
  actions,
  anonymous,
  type CallerFacts,
  type Kind,
  newSiteSwitches,
  noGrants,
  noMembership,
  noPackageGrants,
  noTeamMembership,
  ordinary,
  policyOf,
  type RepositoryFacts,
  vocabularies
} from "@slipway/domain/forge/access"
import type { AnyFacts } from "./oracle.ts"

export type { AnyFacts }

/** Evaluates a condition by walking it, as a second implementation next to `compile`. */
export const evaluateCondition = <F>(condition: Condition<F>, facts: F): boolean =>
  fold<F, boolean>(condition, {
    flag: (fact) => facts[fact] === true,
    is: (fact, word) => facts[fact] === word,
    atLeast: (fact, level) => (facts[fact] as number) >= level,
    not: (of) => !of,
    all: (of) => of.every(Boolean),
    any: (of) => of.some(Boolean)
  })

/** An action with the data for tests of all actions. */
export interface Row {
  readonly name: ActionName
  readonly action: Action
  readonly policy: Policy<string, AnyFacts>
  readonly vocabulary: Vocabulary
}

/** Every action of the catalogue. */
export const rows: ReadonlyArray<Row> = actionNames.map((name) => ({
  name,
  action: actions[name] as Action,
  policy: policyOf(name) as unknown as Policy<string, AnyFacts>,
  vocabulary: vocabularies[actions[name].on]
}))

/** One action of each group with identical conditions; its results hold for the group. */
export const distinctRows: ReadonlyArray<Row> = [
  ...new Map(
    rows.map((row) => [
      JSON.stringify([row.action.on, row.action.access, row.action.publicOnly, row.policy.condition]),
      row
    ])
  ).values()
]

/** The facts of a caller without any grants. */
export const withoutGrants: AnyFacts = {
  ...noMembership,
  ...noTeamMembership,
  ...noGrants,
  ...noPackageGrants,
  self: false
}

/** A public repository, organization, team and user, with everything switched on. */
export const openResources: AnyFacts = {
  organizationVisibility: "public",
  teamVisibility: "public",
  userIsOrganization: false,
  belongsToUser: false,
  userVisibility: "public",
  tied: false,
  ownerVisibility: "public",
  private: false,
  archived: false,
  blocked: false,
  blocksCaller: false,
  blockedByOwner: false,
  ownersTeam: false,
  worker: false,
  mirror: false,
  signatureValid: true,
  // An existing issue of another author.
  found: true,
  pull: false,
  author: false,
  locked: false,
  commentAuthor: false,
  reviewer: false,
  pending: false,
  draft: false,
  ownersDecide: false,
  unitCode: true,
  unitIssues: true,
  unitPulls: true,
  unitReleases: true,
  unitWiki: true,
  unitExtWiki: true,
  unitExtIssues: true,
  unitProjects: true,
  unitPackages: true,
  unitActions: true
} satisfies Partial<RepositoryFacts> & AnyFacts

/** Facts about public resources for a caller without grants. */
export const factsFor = (caller: CallerFacts, ...over: ReadonlyArray<AnyFacts>): AnyFacts =>
  Object.assign({ ...newSiteSwitches, ...caller, ...openResources, ...withoutGrants }, ...over)

/** Facts about public resources for a signed-in caller without grants. */
export const rest: AnyFacts = factsFor(ordinary)

/** The same facts for an anonymous caller. */
export const asAnonymous = (facts: AnyFacts): AnyFacts => ({ ...facts, ...anonymous, ...withoutGrants })

/** Returns a step that visits at most about `most` of `count` records and every value of every fact. */
export const stride = (count: number, most: number): number => {
  if (count <= most) return 1
  let step = Math.ceil(count / most)
  // No vocabulary has a number of values that a larger prime divides.
  while ([2, 3, 5, 7].some((prime) => step % prime === 0)) step++
  return step
}

/** The resource types with a visibility guard. */
export const gates: Partial<Record<Kind, ReadonlyArray<string>>> = {
  organization: ["org-visible"],
  organizationUser: ["org-visible", "user-visible"],
  user: ["user-visible"],
  repository: ["repo-visible"],
  issue: ["repo-visible", "found"],
  comment: ["repo-visible", "found"],
  trackedTime: ["repo-visible", "found"],
  pull: ["repo-visible", "found"],
  review: ["repo-visible", "found"],
  reviewComment: ["repo-visible", "found"],
  reviewThread: ["repo-visible", "found"],
  release: ["repo-visible", "found"],
  taggedRelease: ["repo-visible", "found"],
  repositoryUser: ["repo-visible", "found"],
  heldTeam: ["repo-visible", "found"],
  team: ["team-visible"],
  teamRepository: ["team-visible", "repo-visible"],
  packageOwner: ["owner-visible"]
}
