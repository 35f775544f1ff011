import type { PageRequest } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import { assignees, IssueNotFound, IssueStore, issues, NameUnknown } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { EffectiveAccessStore, pairFacts } from "@slipway/domain/forge/explanation"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { assign } from "./Issues.ts"
import { findAssignees, mayBeAssigned } from "./issueInput.ts"
import { snapshotOf } from "./snapshots.ts"
import { peopleOf, refOf, viewOf } from "./views.ts"

/** The maximum number of users with access to a repository that are searched for possible assignees. */
const mostPeople = 1_000

/**
 * Lists the users who can be assigned to issues or pull requests of a repository, by name.
 *
 * Users with access are read page by page and filtered. The total number is known only on the last page.
 */
export const candidates = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.assignee.list">,
  page: PageRequest
) {
  const { switches } = yield* SiteSettings
  const store = yield* EffectiveAccessStore
  const read = Effect.fnUntraced(function* (perPage: number, after?: string) {
    const { next, rows } = yield* store.list(
      { kind: "repository", id: repository.id, membersToo: false, seenBy: actor },
      { kind: "repository", id: repository.id },
      { page: 1, perPage, after }
    )
    const ids = rows.flatMap((pair) => {
      const facts = pairFacts(switches, pair)
      return mayBeAssigned(facts, false) || mayBeAssigned(facts, true) ? [pair.user.id] : []
    })
    return { ids, next }
  })
  const skipped = (page.page - 1) * page.perPage
  const end = skipped + page.perPage
  const first = yield* read(Math.min(end, mostPeople) + 1)
  const isShort = first.ids.length <= end && first.next !== undefined
  const rest = isShort ? yield* read(mostPeople, first.next) : { ids: [], next: first.next }
  const allowed = [...first.ids, ...rest.ids]
  const ids = allowed.slice(skipped, end)
  const people = yield* peopleOf(actor, ids)
  const more = allowed.length > end
  return {
    rows: ids.flatMap((id) => people.get(id) ?? []),
    total: more && rest.next !== undefined ? undefined : allowed.length,
    more
  }
})

const isCandidate = Effect.fnUntraced(function* (repository: Repository, name: string, kinds: ReadonlyArray<boolean>) {
  const { switches } = yield* SiteSettings
  const id = (yield* (yield* IssueStore).usersNamed([name])).get(name)
  if (id === undefined) return false
  const [pair] = yield* (yield* EffectiveAccessStore).find([{ user: id, repository: repository.id }])
  return pair !== undefined && kinds.some((pull) => mayBeAssigned(pairFacts(switches, pair), pull))
})

/** Returns whether a user can be assigned to issues or pull requests of a repository. */
export const checkIn = ({ resource: { repository } }: Proof<"repository.assignee.check">, name: string) =>
  isCandidate(repository, name, [false, true])

/** Returns whether a user can be assigned to an issue. */
export const check = ({ resource: { issue, repository } }: Proof<"issue.assignee.check">, name: string) =>
  isCandidate(repository, name, [issue.pull])

const assigning = Effect.fnUntraced(function* (
  { resource }: Proof<"issue.assignee.add"> | Proof<"issue.assignee.remove">,
  change: (present: ReadonlyArray<number>) => ReadonlyArray<number>
) {
  const { actor, issue, repository } = resource
  const locked = yield* (yield* issues.store).lock({ repositoryId: repository.id }, issue.id)
  if (locked === undefined) return yield* new IssueNotFound({ number: issue.number })
  const { rows } = yield* (yield* assignees.store).list({ issueId: issue.id }, { limit: mostPeople })
  const wanted = change(rows.map(({ userId }) => userId)) as Parameters<typeof assign>[2]
  yield* assign(actor, locked, wanted)
  return yield* viewOf(actor, { issue: locked, repository: refOf(repository) })
})

/** Assigns users to an issue. */
export const add = audited(
  Effect.fnUntraced(function* (proof: Proof<"issue.assignee.add">, names: ReadonlyArray<string>) {
    const { issue, repository } = proof.resource
    const added = yield* findAssignees(repository, issue.pull, names)
    return yield* assigning(proof, (present) => [...new Set([...present, ...added])])
  }),
  (_, names) => ({ details: { users: names.join(", ") } }),
  (_, view) => Effect.map(snapshotOf(view.issue, view), (issue) => ({ issue }))
)

/** Removes assignees from an issue, even users who could not be assigned now. */
export const remove = audited(
  Effect.fnUntraced(function* (proof: Proof<"issue.assignee.remove">, names: ReadonlyArray<string>) {
    const known = yield* (yield* IssueStore).usersNamed(names)
    const unknown = names.find((name) => !known.has(name))
    if (unknown !== undefined) return yield* new NameUnknown({ field: "assignees", value: unknown })
    const gone: ReadonlyArray<number> = [...known.values()]
    return yield* assigning(proof, (present) => present.filter((id) => !gone.includes(id)))
  }),
  (_, names) => ({ details: { users: names.join(", ") } }),
  (_, view) => Effect.map(snapshotOf(view.issue, view), (issue) => ({ issue }))
)
