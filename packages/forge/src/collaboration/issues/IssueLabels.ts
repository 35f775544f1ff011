import { now } from "@slipway/domain"
import { type Label, LabelNotFound } from "@slipway/domain/forge/code"
import {
  type Issue,
  IssueNotFound,
  IssueStore,
  issueLabels,
  issues,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { timelineEvent } from "./insert.ts"
import { findLabels, withAdded } from "./issueInput.ts"
import { issueAfter } from "./snapshots.ts"
import { authorOf, labelHomeOf } from "./views.ts"

const labelsOn = Effect.fnUntraced(function* (issue: Pick<Issue, "id">) {
  return (yield* (yield* IssueStore).details([issue.id])).get(issue.id)?.labels ?? []
})

/** Lists the labels of an issue by name. */
export const list = ({ resource: { issue } }: Proof<"issue.label.list">) => labelsOn(issue)

type Changing =
  | Proof<"issue.label.add">
  | Proof<"issue.label.replace">
  | Proof<"issue.label.clear">
  | Proof<"issue.label.remove">

/**
 * Replaces the labels of an issue, in the current transaction. A function computes the new labels from the current
 * ones.
 */
const relabel = Effect.fnUntraced(function* (
  { resource: { actor, issue } }: Changing,
  change: (present: ReadonlyArray<Label>) => ReadonlyArray<Label>
) {
  const locked = yield* (yield* issues.store).lock({ repositoryId: issue.repositoryId }, issue.id)
  if (locked === undefined) return yield* new IssueNotFound({ number: issue.number })
  const present = yield* labelsOn(issue)
  const wanted = change(present)
  const added = wanted.filter(({ id }) => !present.some((each) => each.id === id))
  const gone = present.filter(({ id }) => !wanted.some((each) => each.id === id))
  if (added.length + gone.length === 0) return present
  const store = yield* issueLabels.store
  if (gone.length > 0) yield* store.removeWhere({ issueId: issue.id }, { labelId: { in: gone.map(({ id }) => id) } })
  yield* Effect.orDie(store.insertMany(added.map(({ id }) => ({ issueId: issue.id, labelId: id }))))
  const at = yield* now
  const on = (details: { readonly labelId: number; readonly removed?: boolean }) =>
    timelineEvent(issue, "label", authorOf(actor), at, { details })
  yield* Effect.orDie(
    (yield* timelineEvents.store).insertMany([
      ...gone.map(({ id }) => on({ labelId: id, removed: true })),
      ...added.map(({ id }) => on({ labelId: id }))
    ])
  )
  yield* Effect.orDie((yield* issues.store).patch({ repositoryId: issue.repositoryId }, issue.id, { updatedAt: at }))
  return yield* labelsOn(issue)
})

const eventDetails = (labels: ReadonlyArray<Label>) => ({
  details: { labels: labels.map(({ name }) => name).join(", ") }
})

/** Adds labels to an issue, by id or name. If several labels exclude each other, only the last one is kept. */
export const add = audited(
  Effect.fnUntraced(function* (proof: Proof<"issue.label.add">, labels: ReadonlyArray<number | string>) {
    const added = yield* findLabels(proof.resource.repository, labels)
    return yield* relabel(proof, (present) => withAdded(present, added))
  }),
  (done) => eventDetails(done),
  (proof) => issueAfter(proof.resource.issue)
)

/** Replaces the labels of an issue. */
export const replace = audited(
  Effect.fnUntraced(function* (proof: Proof<"issue.label.replace">, labels: ReadonlyArray<number | string>) {
    const wanted = withAdded([], yield* findLabels(proof.resource.repository, labels))
    return yield* relabel(proof, () => wanted)
  }),
  (done) => eventDetails(done),
  (proof) => issueAfter(proof.resource.issue)
)

/** Removes all labels from an issue. */
export const clear = audited(
  (proof: Proof<"issue.label.clear">) => relabel(proof, () => []),
  (done) => eventDetails(done),
  (proof) => issueAfter(proof.resource.issue)
)

/** Removes a label from an issue; does nothing if the issue lacks it. */
export const remove = audited(
  Effect.fnUntraced(function* (proof: Proof<"issue.label.remove">, id: number) {
    const home = labelHomeOf(proof.resource.repository)
    const [label] = yield* (yield* IssueStore).labels(home, { ids: [id], names: [] })
    if (label === undefined) return yield* new LabelNotFound({ id })
    return yield* relabel(proof, (present) => present.filter((each) => each.id !== id))
  }),
  (done) => eventDetails(done),
  (proof) => issueAfter(proof.resource.issue)
)
