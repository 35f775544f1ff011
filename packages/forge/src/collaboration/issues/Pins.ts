import { RepositoryStore } from "@slipway/domain/forge/code"
import { type Issue, type IssueId, IssueNotFound, IssueStore, TooManyPins } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { addTimelineEvent } from "./insert.ts"
import { authorOf, readableIn } from "./views.ts"

/** The maximum number of pinned issues, and of pinned pull requests, per repository. */
export const mostPins = 3

const pinnedIn = Effect.fnUntraced(function* ({ pull, repositoryId }: Pick<Issue, "pull" | "repositoryId">) {
  const { rows } = yield* (yield* IssueStore).search(
    { repositoryId, issues: !pull, pulls: pull },
    { pinned: true },
    "pinned",
    { page: 1, perPage: mostPins }
  )
  return rows.map(({ issue }) => issue.id)
})

/**
 * Changes the order of the pinned issues of a repository, in the current transaction. A function computes the new
 * order.
 */
const arrange = Effect.fnUntraced(function* (
  { id, number, pull, repositoryId }: Issue,
  change: (present: ReadonlyArray<IssueId>) => ReadonlyArray<IssueId>
) {
  if ((yield* (yield* RepositoryStore).lock(repositoryId)) === undefined) return yield* new IssueNotFound({ number })
  const present = yield* pinnedIn({ pull, repositoryId })
  const wanted = change(present)
  if (wanted.length > mostPins) return yield* new TooManyPins({ most: mostPins })
  yield* (yield* IssueStore).arrangePins(repositoryId, pull, wanted)
  return present.includes(id) !== wanted.includes(id)
})

/** Pins an issue after the issues that are already pinned. */
export const pin = audited(
  Effect.fnUntraced(function* ({ resource: { actor, issue } }: Proof<"issue.pin">) {
    const { id } = issue
    const isNew = yield* arrange(issue, (present) => (present.includes(id) ? present : [...present, id]))
    if (isNew) yield* Effect.orDie(addTimelineEvent(issue, "pin", authorOf(actor)))
  })
)

/** Unpins an issue. */
export const unpin = audited(
  Effect.fnUntraced(function* ({ resource: { actor, issue } }: Proof<"issue.unpin">) {
    const wasPinned = yield* arrange(issue, (present) => present.filter((each) => each !== issue.id))
    if (wasPinned) yield* Effect.orDie(addTimelineEvent(issue, "unpin", authorOf(actor)))
  })
)

/** Moves a pinned issue to a position; the first position is 1. */
export const move = audited(
  Effect.fnUntraced(function* ({ resource: { issue } }: Proof<"issue.pin.move">, position: number) {
    if (issue.pinOrder === 0) return yield* new IssueNotFound({ number: issue.number })
    yield* arrange(issue, (present) => {
      const others = present.filter((each) => each !== issue.id)
      return others.toSpliced(Math.max(position - 1, 0), 0, issue.id)
    })
  }),
  (_, position) => ({ details: { position } })
)

/**
 * Returns whether one more issue, and one more pull request, can be pinned in the repository. The value is false for a
 * type that the actor may not read.
 */
export const canPin = Effect.fnUntraced(function* ({
  resource: { facts, repository }
}: Proof<"repository.pin.allowed">) {
  const { issues, pulls } = readableIn(repository, facts)
  const free = (pull: boolean) =>
    Effect.map(pinnedIn({ pull, repositoryId: repository.id }), (present) => present.length < mostPins)
  return { issues: issues && (yield* free(false)), pulls: pulls && (yield* free(true)) }
})
