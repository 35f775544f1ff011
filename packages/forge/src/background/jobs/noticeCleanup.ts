import { timeAgo } from "@slipway/domain"
import type { Task } from "@slipway/domain/forge/background"
import { NoticeStore } from "@slipway/domain/forge/background"
import { Effect } from "effect"

/** How long notices are kept, in days. */
const keptDays = 365

/** The scheduled task that deletes notices older than a year. */
export const noticeCleanup = {
  name: "delete_old_system_notices",
  schedule: "13 2 * * *",
  run: Effect.gen(function* () {
    const before = yield* timeAgo({ days: keptDays })
    yield* (yield* NoticeStore).removeBefore(before)
  })
} satisfies Task<unknown>
