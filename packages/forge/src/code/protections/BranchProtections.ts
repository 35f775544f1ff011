import { now } from "@slipway/domain"
import type { Repository } from "@slipway/domain/forge/code"
import {
  type BranchProtection,
  type BranchRules,
  longestPattern,
  mostPatterns,
  ProtectionStore,
  problemOfPattern,
  strictRules
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import {
  lockRepository,
  namesOfPeople,
  type PeopleInput,
  ProtectionInvalid,
  ProtectionNotFound,
  peopleNamed,
  peopleReplaced
} from "./people.ts"

/** The maximum number of branch protections of a repository. */
export const mostBranchProtections = 100

type Flat = Omit<BranchRules, "approvals" | "forcePush" | "merge" | "push" | "statusChecks">
type Group<G extends keyof BranchRules> = Partial<Omit<BranchRules[G] & object, "allowed">> & PeopleInput

/** The fields of a branch protection in a request. When a protection is changed, omitted fields stay unchanged. */
export interface BranchRulesInput extends Partial<Flat> {
  readonly push?: Group<"push"> | undefined
  readonly forcePush?: Group<"forcePush"> | undefined
  readonly merge?: Group<"merge"> | undefined
  readonly approvals?: Group<"approvals"> | undefined
  readonly statusChecks?: Partial<BranchRules["statusChecks"]> | undefined
  readonly priority?: number | undefined
}

const patternProblem = (patterns: string | undefined): string | undefined => {
  const each = (patterns ?? "").split(";").map((pattern) => pattern.trim())
  if (each.length > mostPatterns) return `must have at most ${mostPatterns} patterns`
  if (each.some(({ length }) => length > longestPattern))
    return `must have patterns of at most ${longestPattern} characters`
  return each.map(problemOfPattern).find((problem) => problem !== undefined)
}

/** Returns a branch protection with the given fields changed. */
const changed = Effect.fnUntraced(function* (
  {
    resource: { actor, repository }
  }: Proof<"repository.branch-protection.create" | "repository.branch-protection.edit">,
  before: BranchRules,
  input: BranchRulesInput
) {
  const { approvals, forcePush, merge, push, statusChecks, priority: _, ...flat } = input
  for (const field of ["protectedFiles", "unprotectedFiles"] as const) {
    const problem = patternProblem(flat[field])
    if (problem !== undefined) return yield* new ProtectionInvalid({ field, problem })
  }
  const named = yield* peopleNamed(actor, repository, { approvals, forcePush, merge, push })
  const replaced = yield* peopleReplaced(
    actor,
    repository,
    (["approvals", "forcePush", "merge", "push"] as const)
      .filter((group) => input[group]?.users !== undefined || input[group]?.teams !== undefined)
      .map((group) => before[group].allowed)
  )
  const grouped = <G extends "approvals" | "forcePush" | "merge" | "push">(group: G): BranchRules[G] => {
    const { teams: _teams, users: _users, ...set } = input[group] ?? {}
    return { ...before[group], ...set, allowed: replaced(before[group].allowed, named(group)) }
  }
  return {
    ...before,
    ...flat,
    push: grouped("push"),
    forcePush: grouped("forcePush"),
    merge: grouped("merge"),
    approvals: grouped("approvals"),
    statusChecks: { ...before.statusChecks, ...statusChecks }
  } satisfies BranchRules
})

/** Returns the rules of a branch protection, without its other columns such as id and times. */
const rulesOf = ({
  id: _id,
  repositoryId: _repositoryId,
  ruleName: _ruleName,
  priority: _priority,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...rules
}: BranchProtection): BranchRules => rules

const named = Effect.fnUntraced(function* (store: ProtectionStore["Service"], repository: Repository, name: string) {
  return (yield* store.branchNamed(repository.id, name)) ?? (yield* new ProtectionNotFound({ name }))
})

type Listing = Proof<
  | "repository.branch-protection.list"
  | "repository.branch-protection.create"
  | "repository.branch-protection.read"
  | "repository.branch-protection.edit"
>

/** Reads the names of the users and teams in branch protections; those hidden from the actor are omitted. */
export const namesIn = ({ actor, repository }: Listing["resource"], protections: ReadonlyArray<BranchProtection>) =>
  namesOfPeople(
    actor,
    repository,
    protections.flatMap(({ approvals, forcePush, merge, push }) =>
      [approvals, forcePush, merge, push].map(({ allowed }) => allowed)
    )
  )

/** Lists the branch protections of a repository by priority. */
export const list = Effect.fnUntraced(function* ({
  resource: { repository }
}: Proof<"repository.branch-protection.list">) {
  return yield* (yield* ProtectionStore).branches(repository.id)
})

/** Reads a branch protection by the name of its rule. */
export const read = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.branch-protection.read">,
  name: string
) {
  return yield* named(yield* ProtectionStore, repository, name)
})

const eventDetails = ({ ruleName }: BranchProtection) => ({ details: { rule: ruleName } })

/** Creates a branch protection for a branch name or a glob pattern. By default, it gets the lowest priority. */
export const create = audited(
  Effect.fnUntraced(function* (
    proof: Proof<"repository.branch-protection.create">,
    ruleName: string,
    input: BranchRulesInput
  ) {
    const { repository } = proof.resource
    const store = yield* lockRepository(repository)
    if (ruleName === "" || ruleName.length > longestPattern) {
      const problem = `must have 1 to ${longestPattern} characters`
      return yield* new ProtectionInvalid({ field: "ruleName", problem })
    }
    const wrong = problemOfPattern(ruleName)
    if (wrong !== undefined) return yield* new ProtectionInvalid({ field: "ruleName", problem: wrong })
    const others = yield* store.branches(repository.id)
    if (others.length >= mostBranchProtections) {
      const problem = `a repository has at most ${mostBranchProtections} of them`
      return yield* new ProtectionInvalid({ field: "ruleName", problem })
    }
    const rules = yield* changed(proof, strictRules, input)
    const at = yield* now
    const last = Math.max(0, ...others.map(({ priority }) => priority))
    const priority = input.priority === undefined || input.priority === 0 ? last + 1 : input.priority
    return yield* store
      .insertBranch({ ...rules, repositoryId: repository.id, ruleName, priority, createdAt: at, updatedAt: at })
      .pipe(Effect.mapError(() => new ProtectionInvalid({ field: "ruleName", problem: `\`${ruleName}\` is taken` })))
  }),
  (rule) => eventDetails(rule)
)

/** Changes the given fields of a branch protection. */
export const edit = audited(
  Effect.fnUntraced(function* (
    proof: Proof<"repository.branch-protection.edit">,
    name: string,
    input: BranchRulesInput
  ) {
    const { repository } = proof.resource
    const store = yield* lockRepository(repository)
    const before = yield* named(store, repository, name)
    const after: BranchProtection = {
      ...before,
      ...(yield* changed(proof, rulesOf(before), input)),
      priority: input.priority ?? before.priority,
      updatedAt: yield* now
    }
    yield* store.replaceBranch(after)
    return after
  }),
  (rule) => eventDetails(rule)
)

/** Deletes a branch protection. */
export const remove = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.branch-protection.delete">,
    name: string
  ) {
    const store = yield* lockRepository(repository)
    const protection = yield* named(store, repository, name)
    yield* store.removeBranch(repository.id, protection.id)
    return protection
  }),
  (rule) => eventDetails(rule)
)

/** Changes the priorities of branch protections: the listed ones come first, in the given order. */
export const prioritise = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.branch-protection.prioritise">,
    ids: ReadonlyArray<number>
  ) {
    const store = yield* lockRepository(repository)
    const known = new Set<number>((yield* store.branches(repository.id)).map(({ id }) => id))
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined)
      return yield* new ProtectionInvalid({ field: "ids", problem: `${unknown} does not exist` })
    if (new Set(ids).size < ids.length) return yield* new ProtectionInvalid({ field: "ids", problem: "must differ" })
    yield* store.prioritise(repository.id, ids)
    return ids
  }),
  (ids) => ({ details: { order: ids.join(", ") } })
)
