import { Effect, Option, Stream } from "effect"
import type { Collection, Entity } from "./Collection.ts"
import { type CountedPage, type PageRequest, type Window, windowOf } from "./Page.ts"

/** Reads one page of a collection, oldest first, with the total number of rows. */
export const pageOf = Effect.fnUntraced(function* <Row extends Entity>(
  collection: Pick<Collection<Row>, "list" | "count">,
  request: PageRequest
) {
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
