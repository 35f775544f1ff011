import { Cron, DateTime, Result } from "effect"

const words: Readonly<Record<string, string>> = {
  every_minute: "* * * * *",
  hourly: "0 * * * *",
  daily: "0 0 * * *",
  weekly: "0 0 * * 0",
  monthly: "0 0 1 * *",
  yearly: "0 0 1 1 *"
}

const longest = 200

const daysOf = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Tells whether a day of a month comes that a frequency names: looking for one that never does takes half a second. */
const comes = ({ days, months, weekdays }: Cron.Cron): boolean => {
  if (days.size === 0 || weekdays.size > 0) return true
  const first = Math.min(...days)
  return daysOf.some((most, month) => first <= most && (months.size === 0 || months.has(month + 1)))
}

/**
 * Returns when something is due first after a moment, in UTC; nothing when a frequency is none, or never comes.
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
export const nextRun = (frequency: string, after: string): string | undefined => {
  const text = words[frequency.replace(/^@/, "")] ?? frequency
  if (text.length > longest || text.trim().split(/\s+/).length !== 5) return undefined
  return Cron.parse(text, "UTC").pipe(
    Result.filterOrFail(comes, () => "never"),
    Result.flatMap((cron) => Result.try(() => DateTime.formatIso(DateTime.fromDateUnsafe(Cron.next(cron, after))))),
    Result.getOrUndefined
  )
}
