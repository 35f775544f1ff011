import { timeOf } from "@slipway/domain"
import { zeroTime } from "./zeroTime.ts"

/** Returns a text from the input; `undefined` if it is empty. */
export const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** Returns a point in time from the input; clients that always send one send the zero time for none. */
export const readInstant = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === zeroTime ? undefined : text

/** Returns an optional point in time in the format in which times are stored and compared. */
export const readOptionalTime = (text: string | undefined): string | undefined => {
  const moment = readInstant(text)
  return moment === undefined ? undefined : timeOf(moment)
}

/** Returns `since` and `before` of a query, in the format in which times are stored and compared. */
export const period = ({ before, since }: { readonly since?: string; readonly before?: string }) => ({
  since: readOptionalTime(since),
  before: readOptionalTime(before)
})
