import { now, Transaction } from "@slipway/domain"
import { JobLease } from "@slipway/domain/forge/background"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId, PushedRef, RefName } from "@slipway/domain/forge/code"
import { GitWriter, PushStore } from "@slipway/domain/forge/code"
import type { NewEvent } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { addJob } from "../../base/jobs/addJob.ts"
import { addedObjects } from "./addedObjects.ts"
import { pushedRef, settle } from "./Pushes.ts"

/** A ref change that is already authorized, for example by the decision on a merge. */
export interface DecidedChange {
  readonly ref: RefName
  readonly before: ObjectId
  readonly after: ObjectId | undefined
}

/** Returns the record of a ref change, in the form in which pushes are stored. */
export const pushCommits = Effect.fnUntraced(function* (repositoryId: RepositoryId, change: DecidedChange) {
  const objects = yield* addedObjects(repositoryId, undefined)
  return yield* pushedRef(change, { changes: [change], options: [], objects }, true)
})

/** Returns the push event for another action that changes a ref, such as a merge. */
export const pushEvent = (done: NewEvent): NewEvent => ({ ...done, action: "git.push", details: {} })

/**
 * Records in the current transaction that a ref is about to change. Later, `settle` finds out whether git has changed
 * it.
 */
export const begin = Effect.fnUntraced(function* (repositoryId: RepositoryId, ref: PushedRef, done: NewEvent) {
  const push = yield* (yield* PushStore).begin({
    repositoryId,
    at: yield* now,
    refs: [ref],
    size: 0,
    event: pushEvent(done)
  })
  yield* addJob({ _tag: "SettlePush", pushId: push.id }, yield* JobLease)
  return push.id
})

/** Changes a ref that is already authorized, and records it as a push. */
export const change = Effect.fnUntraced(function* (repositoryId: RepositoryId, decided: DecidedChange, done: NewEvent) {
  const ref = yield* pushCommits(repositoryId, decided)
  const push = yield* (yield* Transaction).run(begin(repositoryId, ref, done))
  const { after = null, before, ref: name } = decided
  yield* Effect.ensuring(
    (yield* GitWriter).updateRefs(repositoryId, [{ ref: name, from: before, to: after }]),
    settle(push)
  )
})
