import { logOutages, timeAgo } from "@slipway/domain"
import { DeletionStore, DeploymentStore, type OldRows } from "@slipway/domain/deploy/apps"
import { TeamNotificationStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

/** The number of rows that one SQL statement deletes; each deployment may have thousands of log lines. */
const batchSize = 20

const forgetAll = Effect.fnUntraced(function* (
  forget: (rows: OldRows) => Effect.Effect<number | undefined>,
  before: string
) {
  for (let after: number | undefined = 0; after !== undefined; ) {
    after = yield* forget({ before, after, limit: batchSize })
    yield* Effect.yieldNow
  }
})

/**
 * Deletes old rows every hour: deployments and deletions that ended more than `days` ago and are no longer needed, and
 * records of old reported problems.
 *
 * If `days` is undefined, it deletes nothing.
 */
export const forgetOld = Effect.fnUntraced(function* (days: number | undefined) {
  if (days === undefined) return yield* Effect.never
  const deployments = yield* DeploymentStore
  const deletions = yield* DeletionStore
  const notifications = yield* TeamNotificationStore
  const look = Effect.gen(function* () {
    const before = yield* timeAgo({ days })
    yield* forgetAll(deployments.forget, before)
    // Deletions come last: each is kept as long as a deployment of its application.
    yield* forgetAll(deletions.forget, before)
    yield* notifications.forget(before)
  })
  return yield* look.pipe(
    logOutages("removing old deployments failed"),
    Effect.andThen(Effect.sleep("1 hour")),
    Effect.forever
  )
})
