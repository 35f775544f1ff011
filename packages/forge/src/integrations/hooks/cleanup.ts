import type { Task } from "@slipway/domain/forge/background"
import { deliveryStates, hookDeliveries } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { removeExpired } from "../../base/settings/retention.ts"

/** The cleanup of deliveries that are older than the site's retention period; waiting deliveries are kept. */
export const deliveryCleanup = {
  name: "cleanup_hook_task_table",
  schedule: "23 1 * * *",
  run: removeExpired("deliveries", (before) =>
    Effect.gen(function* () {
      const state = { in: deliveryStates.filter((each) => each !== "waiting") }
      yield* (yield* hookDeliveries.store).removeEverywhere({ state, createdAt: { before } })
    })
  )
} satisfies Task<unknown>
