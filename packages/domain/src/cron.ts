import { Cron, DateTime, Option, Result } from "effect"

const longest = 200

const daysOf = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Returns whether a cron schedule matches a day that exists; 31 February does not. Without this check, the search for
 * the next day would take half a second and find none.
 */
const comes = ({ days, months, weekdays }: Cron.Cron): boolean => {
  if (days.size === 0 || weekdays.size > 0) return true
  const first = Math.min(...days)
  return daysOf.some((most, month) => first <= most && (months.size === 0 || months.has(month + 1)))
}

const parsed = (schedule: string, timeZone: string): Result.Result<Cron.Cron, "invalid"> =>
  schedule.length > longest || schedule.trim().split(/\s+/).length !== 5
    ? Result.fail("invalid")
    : Result.mapError(Cron.parse(schedule, timeZone), () => "invalid" as const)

/**
 * Returns why a five-field cron schedule is unusable: `invalid`, or `never` if it is never due. Returns undefined for a
 * valid schedule.
 *
 * @example
 * cronProblem("0 5 * * 1-5") // => undefined
 * cronProblem("0 5 31 2 *") // => "never"
 * cronProblem("* * * * * *") // => "invalid"
 */
export const cronProblem = (schedule: string): "invalid" | "never" | undefined =>
  Result.match(parsed(schedule, "UTC"), {
    onFailure: (problem) => problem,
    onSuccess: (cron) => (comes(cron) ? undefined : "never")
  })

/**
 * Returns the next due time of a five-field cron schedule after a given time, in ISO 8601. Returns undefined if the
 * schedule is invalid or never due.
 *
 * The schedule is interpreted in an IANA time zone, UTC by default.
 *
 * @example
 * cronNext("0 5 * * *", "2026-07-01T00:00:00.000Z") // => "2026-07-01T05:00:00.000Z"
 * cronNext("0 5 * * *", "2026-07-01T00:00:00.000Z", "Europe/Berlin") // => "2026-07-01T03:00:00.000Z"
 * cronNext("0 5 31 2 *", "2026-07-01T00:00:00.000Z") // => undefined
 */
export const cronNext = (schedule: string, after: string, timeZone = "UTC"): string | undefined =>
  parsed(schedule, timeZone).pipe(
    Result.filterOrFail(comes, () => "never" as const),
    Result.flatMap((cron) => Result.try(() => DateTime.formatIso(DateTime.fromDateUnsafe(Cron.next(cron, after))))),
    Result.getOrUndefined
  )

/**
 * Returns whether a text is the name of a known IANA time zone; offsets such as `+02:00` are not.
 *
 * @example
 * isTimeZone("America/New_York") // => true
 * isTimeZone("+02:00") // => false
 * isTimeZone("Mars/Base") // => false
 */
export const isTimeZone = (name: string): boolean =>
  /^[A-Za-z][\w+/-]{0,99}$/.test(name) && Option.isSome(DateTime.zoneMakeNamed(name))
