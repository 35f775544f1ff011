import type { Collection, Entity, PageRequest } from "@slipway/domain"
import { pageOf, streamOf } from "@slipway/domain"
import type { Action, Authorized, LoadedThings } from "@slipway/domain/deploy/entry"
import { type Context, Effect, Stream } from "effect"

/** The resource types that have a list action. */
type Listed = { [A in Action]: A extends `${infer N}.list` ? N : never }[Action]

/** Builds list use cases: a page, or all rows. Reading one resource needs none: the proof carries it. */
export const reading = <N extends Listed, Id, Row extends Entity>(
  _noun: N,
  store: Context.Service<Id, Collection<Row>>
) => ({
  list: Effect.fnUntraced(function* (_: Authorized<Extract<Action, `${N}.list`>>, page: PageRequest) {
    return yield* pageOf(yield* store, page)
  }),
  stream: (_: Authorized<Extract<Action, `${N}.list`>>) =>
    Stream.unwrap(Effect.map(store, (collection) => streamOf(collection.list)))
})

/** The resource types that have a delete action. */
type Removed = { [A in Action]: A extends `${infer N}.delete` ? N & keyof LoadedThings : never }[Action]

/** Builds the use case that removes a row, unless other rows refer to it. */
export const removing = <N extends Removed, Id, Row extends Entity, Missing>(
  noun: N,
  store: Context.Service<Id, Collection<Row>>,
  missing: () => Missing
) =>
  Effect.fnUntraced(function* (proof: Authorized<Extract<Action, `${N}.delete`>>) {
    // BOUNDARY: the proof of removing a thing carries it under its name, which the compiler can't follow for any `N`.
    const { [noun]: row } = proof.resource as unknown as { readonly [Name in N]: Row }
    const removed = yield* (yield* store).remove(row.uuid)
    if (!removed) return yield* Effect.fail(missing())
  })
