import { timeOf } from "@slipway/domain"

/** Returns a text that somebody gave; an empty one is none. */
export const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** Returns a point in time as it is kept and compared, where one is given. */
export const timeGiven = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : timeOf(text)

/** Returns the period that a query asks about, as times are kept and compared. */
export const period = ({ before, since }: { readonly since?: string; readonly before?: string }) => ({
  since: timeGiven(since),
  before: timeGiven(before)
})
