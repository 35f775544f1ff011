import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { NotifiedEvent } from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { addJobs } from "../jobs/addJob.ts"

/** An event of an issue or a pull request that users are notified of, with its repository. */
export interface RepositoryNotifiedEvent extends NotifiedEvent {
  readonly repositoryId: RepositoryId
}

/** Queues the notifications about an action in the current transaction. After the commit, a worker creates them. */
export const queueNotifications = Effect.fnUntraced(function* (
  actorId: UserId | null,
  notifications: ReadonlyArray<RepositoryNotifiedEvent>
) {
  const at = yield* now
  yield* addJobs(notifications.map((each) => ({ _tag: "Notify", ...each, actorId, at, after: 0 })))
})
