import { timeOf } from "@slipway/domain"
import { noTime } from "./noTime.ts"

/** Returns a text from the input; `undefined` if it is empty. */
export const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** Returns a point in time from the input; clients that always send one send the zero time for none. */
export const momentGiven = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === noTime ? undefined : text

/** Returns a point in time as it is kept and compared, where one is given. */
export const timeGiven = (text: string | undefined): string | undefined => {
  const moment = momentGiven(text)
  return moment === undefined ? undefined : timeOf(moment)
}

/** Returns the period that a query asks about, as times are kept and compared. */
export const period = ({ before, since }: { readonly since?: string; readonly before?: string }) => ({
  since: timeGiven(since),
  before: timeGiven(before)
})
