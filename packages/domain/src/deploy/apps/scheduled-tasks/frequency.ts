import { cronNext } from "../../../cron.ts"

const words: Readonly<Record<string, string>> = {
  every_minute: "* * * * *",
  hourly: "0 * * * *",
  daily: "0 0 * * *",
  weekly: "0 0 * * 0",
  monthly: "0 0 1 * *",
  yearly: "0 0 1 1 *"
}

/**
 * Returns the first due time of a schedule after a given time, in UTC. Returns undefined if the schedule is invalid or
 * never due.
 *
 * ```ts
 * import { nextRun } from "@slipway/domain/deploy"
 *
 * const monday = "2026-03-02T10:17:30.000Z"
 * nextRun("*\/5 * * * *", monday) // => "2026-03-02T10:20:00.000Z"
 * nextRun("0 9 * * 1-5", monday) // => "2026-03-03T09:00:00.000Z"
 * nextRun("weekly", monday) // => "2026-03-08T00:00:00.000Z"
 * nextRun("0 0 30 2 *", monday) // => undefined
 * nextRun("* * * * * *", monday) // => undefined
 * ```
 */
export const nextRun = (frequency: string, after: string): string | undefined =>
  cronNext(words[frequency.replace(/^@/, "")] ?? frequency, after)
