import { memoize } from "@slipway/domain"

const dayLength = 86_400_000
const digits = (count: number, value: number): string => String(value).padStart(count, "0")
const texts = (count: number, textOf: (value: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, value) => textOf(value))

const dayText = memoize(
  (day: number) => new Date(day * dayLength).toISOString().slice(0, -"00:00:00.000Z".length),
  10_000
)
const minutes = texts(1_440, (minute) => `${digits(2, Math.floor(minute / 60))}:${digits(2, minute % 60)}:`)
const seconds = texts(60, (second) => `${digits(2, second)}.`)
const thousandths = texts(1_000, (thousandth) => `${digits(3, thousandth)}Z`)

/** Formats a time in ISO 8601 like `toISOString`, in a third of the time. It runs several times per row. */
export const timeText = (moment: Date): string => {
  const time = moment.getTime()
  const day = Math.floor(time / dayLength)
  const rest = time - day * dayLength
  return [
    dayText(day),
    minutes[Math.floor(rest / 60_000)],
    seconds[Math.floor(rest / 1_000) % 60],
    thousandths[rest % 1_000]
  ].join("")
}
