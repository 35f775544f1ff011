import type { Task } from "@slipway/domain/forge/background"
import { EventStore } from "@slipway/domain/forge/events"
import { Effect } from "effect"
import { removeExpired } from "../settings/retention.ts"

/** The number of events that one SQL statement removes. */
const batchSize = 5_000

/** The scheduled task that removes audit events after the site's retention period, if one is set. */
export const eventCleanup = {
  name: "delete_old_actions",
  schedule: "53 2 * * *",
  run: removeExpired("events", (before) =>
    Effect.gen(function* () {
      const { forget } = yield* EventStore
      while ((yield* forget(before, batchSize)) === batchSize) yield* Effect.yieldNow
    })
  )
} satisfies Task<unknown>
