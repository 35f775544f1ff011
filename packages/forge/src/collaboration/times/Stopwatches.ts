import type { PageRequest } from "@slipway/domain"
import { elapsedMilliseconds, now } from "@slipway/domain"
import { inOwner } from "@slipway/domain/forge/automation"
import { viewerOn } from "@slipway/domain/forge/code"
import {
  IssueNotFound,
  IssueStore,
  type PlacedIssue,
  type Stopwatch,
  StopwatchState,
  stopwatches
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { lockHolder } from "../../base/locks/lockHolder.ts"
import { authorOf } from "../issues/views.ts"
import { addTimeEvent, store } from "./Times.ts"

/** The maximum number of running stopwatches of one user. */
const most = 100

/** A running stopwatch with its issue. */
export interface StopwatchView extends PlacedIssue {
  readonly stopwatch: Stopwatch
  readonly seconds: number
}

const since = (startedAt: string, at: string) => Math.max(0, Math.floor(elapsedMilliseconds(startedAt, at) / 1_000))

/** Starts a stopwatch of the caller on an issue or a pull request. */
export const start = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.stopwatch.start">) {
    const { actor, issue } = resource
    const watches = yield* stopwatches.store
    const userId = authorOf(actor)
    yield* lockHolder(inOwner({ kind: "user", id: userId }))
    if ((yield* watches.count({ userId })) >= most) return yield* new StopwatchState({ running: true })
    const started = yield* Effect.mapError(
      watches.insertIfAbsent({ userId, issueId: issue.id, startedAt: yield* now }),
      () => new IssueNotFound({ number: issue.number })
    )
    if (!started) return yield* new StopwatchState({ running: true })
    yield* addTimeEvent(resource, "start_tracking")
  })
)

/** Stops the caller's stopwatch on an issue, and stores the elapsed time as tracked time. */
export const stop = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.stopwatch.stop">) {
    const { actor, issue } = resource
    const userId = authorOf(actor)
    const stopped = yield* (yield* stopwatches.store).removeBy("pair", { userId, issueId: issue.id })
    if (stopped === undefined) return yield* new StopwatchState({ running: false })
    const at = yield* now
    const time = yield* store(resource, userId, Math.max(1, since(stopped.startedAt, at)), at)
    yield* addTimeEvent(resource, "stop_tracking", { body: `|${time.seconds}`, trackedTimeId: time.id })
  })
)

/** Removes the caller's stopwatch on an issue without storing the elapsed time. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"issue.stopwatch.delete">) {
    const { actor, issue } = resource
    const userId = authorOf(actor)
    const dropped = yield* (yield* stopwatches.store).removeBy("pair", { userId, issueId: issue.id })
    if (dropped === undefined) return yield* new StopwatchState({ running: false })
    yield* addTimeEvent(resource, "cancel_tracking")
  })
)

/**
 * Lists the caller's running stopwatches, newest first. Those on issues that the caller may not read now are omitted
 * (invariants I7 and I8).
 */
export const ofSelf = Effect.fnUntraced(function* ({ resource }: Proof<"account.stopwatch.list">, page: PageRequest) {
  const { rows } = yield* (yield* stopwatches.store).list({ userId: signedInUser(resource).id }, { limit: most })
  if (rows.length === 0) return { rows: [], total: 0 }
  const running = new Map(rows.map((each) => [each.issueId, each]))
  const viewer = yield* viewerOn(resource.actor)
  const found = yield* (yield* IssueStore).search({ viewer }, { ids: [...running.keys()] }, "newest", page)
  const at = yield* now
  const views = found.rows.flatMap((place): ReadonlyArray<StopwatchView> => {
    const stopwatch = running.get(place.issue.id)
    return stopwatch === undefined ? [] : [{ ...place, stopwatch, seconds: since(stopwatch.startedAt, at) }]
  })
  return { ...found, rows: views }
})
