import { DateTime, Duration, Effect } from "effect"
import type { Task } from "../tasks/Task.ts"
import { deliveryStates, hookDeliveries } from "./HookDelivery.ts"

/** How long deliveries are kept. */
const kept = Duration.days(14)

/** Removes old deliveries of webhooks, but those that still wait. */
export const deliveryCleanup = {
  name: "cleanup_hook_task_table",
  schedule: "23 1 * * *",
  run: Effect.gen(function* () {
    const before = DateTime.formatIso(DateTime.subtractDuration(yield* DateTime.now, kept))
    const state = { in: deliveryStates.filter((each) => each !== "waiting") }
    yield* (yield* hookDeliveries.store).removeEverywhere({ state, createdAt: { before } })
  })
} satisfies Task<unknown>
