import { Console, Effect } from "effect"
import { Argument, Flag } from "effect/cli"

/** A page size that is large enough for a terminal. */
export const largestPage = { page: 1, perPage: 500 }

/** Prints rows with tab-separated columns. */
export const print = (rows: ReadonlyArray<ReadonlyArray<string | number>>) =>
  Effect.forEach(rows, (row) => Console.log(row.join("\t")), { discard: true })

/** Restricts a list to one user. */
export const ofUser = Flag.String("user").pipe(Flag.withDescription("List those of one user"), Flag.optional)

/** The id of a resource. */
export const number = (what: string) =>
  Argument.Int("number").pipe(Argument.withDescription(`The number of the ${what} in the list`))
