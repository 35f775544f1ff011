import { defineJob } from "../../base/jobs/JobHandlers.ts"
import { settle } from "./Pushes.ts"

/** The job handlers of pushes. */
export const pushJobs = [
  defineJob(
    "SettlePush",
    ({ pushId }) => `recording push ${pushId}`,
    ({ pushId }) => settle(pushId)
  )
] as const
