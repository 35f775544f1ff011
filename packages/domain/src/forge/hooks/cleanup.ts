import { Effect } from "effect"
import { retained } from "../settings/retention.ts"
import type { Task } from "../tasks/Task.ts"
import { deliveryStates, hookDeliveries } from "./HookDelivery.ts"

/** Removes deliveries of webhooks that are older than the operator keeps them, but those that still wait. */
export const deliveryCleanup = {
  name: "cleanup_hook_task_table",
  schedule: "23 1 * * *",
  run: retained("deliveries", (before) =>
    Effect.gen(function* () {
      const state = { in: deliveryStates.filter((each) => each !== "waiting") }
      yield* (yield* hookDeliveries.store).removeEverywhere({ state, createdAt: { before } })
    })
  )
} satisfies Task<unknown>
