import { timeOf } from "@slipway/domain"
import { zeroTime } from "./zeroTime.ts"

/** Returns a text of the request, or `undefined` if it is empty. */
export const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** Returns a point in time of the request; `undefined` for Go's zero time, which some clients send for no value. */
export const readInstant = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === zeroTime ? undefined : text

/** Converts an optional point in time to the stored format, ISO 8601 in UTC. */
export const readOptionalTime = (text: string | undefined): string | undefined => {
  const moment = readInstant(text)
  return moment === undefined ? undefined : timeOf(moment)
}

/** Returns the query parameters `since` and `before` in the stored time format. */
export const period = ({ before, since }: { readonly since?: string; readonly before?: string }) => ({
  since: readOptionalTime(since),
  before: readOptionalTime(before)
})
