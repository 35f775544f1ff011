import { Effect, Option, Stream } from "effect"
import type { Collection, Entity } from "./Collection.ts"
import { type CountedPage, type PageRequest, type Window, windowOf } from "./Page.ts"

/** The rows of a page. The total is undefined if it was not read together with them. */
export interface PageRows<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly total: number | undefined
}

/** A list with its total. `page` reads both together, if the store can do that. */
export interface Listing<Row extends Entity> extends Pick<Collection<Row>, "list" | "count"> {
  readonly page?: ((window: Window) => Effect.Effect<PageRows<Row>>) | undefined
}

/** Reads one page of a collection, oldest first, with the total number of rows. */
export const pageOf = Effect.fnUntraced(function* <Row extends Entity>(collection: Listing<Row>, request: PageRequest) {
  if (collection.page !== undefined) {
    const { rows, total } = yield* collection.page(windowOf(request))
    return { rows, total: total ?? (yield* collection.count) } satisfies CountedPage<Row>
  }
  const rows = yield* collection.list(windowOf(request))
  return { rows, total: yield* collection.count } satisfies CountedPage<Row>
})

const batchSize = 200

/** Streams all rows of a paginated `list`, oldest first, in small batches. */
export const streamOf = <Row extends Entity, E, R>(
  list: (window: Window) => Effect.Effect<ReadonlyArray<Row>, E, R>
): Stream.Stream<Row, E, R> =>
  Stream.paginate(0, (after: number) =>
    Effect.map(list({ after, limit: batchSize }), (rows) => [
      rows,
      rows.length < batchSize ? Option.none<number>() : Option.fromUndefinedOr(rows.at(-1)?.id)
    ])
  )
