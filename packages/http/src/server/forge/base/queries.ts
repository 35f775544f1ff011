import { timeOf } from "@slipway/domain"
import { noTime } from "./noTime.ts"

/** Returns a text from the input; `undefined` if it is empty. */
export const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** Returns a point in time from the input; clients that always send one send the zero time for none. */
export const momentGiven = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === noTime ? undefined : text

/** Returns an optional point in time in the format in which times are stored and compared. */
export const timeGiven = (text: string | undefined): string | undefined => {
  const moment = momentGiven(text)
  return moment === undefined ? undefined : timeOf(moment)
}

/** Returns the period of a query in the format in which times are stored and compared. */
export const period = ({ before, since }: { readonly since?: string; readonly before?: string }) => ({
  since: timeGiven(since),
  before: timeGiven(before)
})
