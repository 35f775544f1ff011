import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { NotifiedEvent } from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { addJobs } from "../jobs/addJob.ts"

/** A notification about an issue or a pull request, with its repository. */
export interface RepositoryNotifiedEvent extends NotifiedEvent {
  readonly repositoryId: RepositoryId
}

/** Queues notifications about an actor's action in the running transaction; a worker creates them after the commit. */
export const queueNotifications = Effect.fnUntraced(function* (
  actorId: UserId | null,
  notifications: ReadonlyArray<RepositoryNotifiedEvent>
) {
  const at = yield* now
  yield* addJobs(notifications.map((each) => ({ _tag: "Notify", ...each, actorId, at, after: 0 })))
})
