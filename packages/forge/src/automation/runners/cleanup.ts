import { timeAgo } from "@slipway/domain"
import { runners } from "@slipway/domain/forge/automation"
import type { Task } from "@slipway/domain/forge/background"
import { Effect } from "effect"
import { forget } from "./Runners.ts"

/** The number of runners that are removed in one transaction. */
const batchSize = 100

/** The scheduled task that removes ephemeral runners that have been offline for a day. */
export const runnerCleanup = {
  name: "cleanup_offline_runners",
  schedule: "17 2 * * *",
  run: Effect.gen(function* () {
    const store = yield* runners.store
    const filter = { ephemeral: true, lastOnlineAt: { before: yield* timeAgo("1 day") } }
    for (let isMore = true; isMore; ) {
      const { rows } = yield* store.listEverywhere({ limit: batchSize }, { filter })
      for (const runner of rows) yield* forget(runner, "it was offline for a day")
      isMore = rows.length === batchSize
    }
  })
} satisfies Task<unknown>
