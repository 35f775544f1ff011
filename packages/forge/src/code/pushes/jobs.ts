import { defineJob } from "../../base/jobs/JobHandlers.ts"
import { settle } from "./Pushes.ts"

/** The handlers of background jobs for pushes. */
export const pushJobs = [
  defineJob(
    "SettlePush",
    ({ pushId }) => `recording push ${pushId}`,
    ({ pushId }) => settle(pushId)
  )
] as const
