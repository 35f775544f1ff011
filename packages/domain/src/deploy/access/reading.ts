import { type Context, Effect, Stream } from "effect"
import type { Collection, Entity } from "../../Collection.ts"
import { pageOf, streamOf } from "../../Collections.ts"
import type { PageRequest } from "../../Page.ts"
import type { Action } from "./actions.ts"
import type { Authorized } from "./authorize.ts"

/** The things that can be listed, read and deleted in the same way. */
type Noun = {
  [A in Action]: A extends `${infer N}.list` ? (`${N}.read` extends Action ? N : never) : never
}[Action]

/** Makes the use cases that only read: one row, a page, or all rows. */
export const reading = <N extends Noun, Id, Row extends Entity, Missing>(
  _noun: N,
  store: Context.Service<Id, Collection<Row>>,
  missing: () => Missing
) => ({
  get: Effect.fnUntraced(function* (_: Authorized<Extract<Action, `${N}.read`>>, uuid: string) {
    // A text that is no uuid finds nothing, which is all that a caller has to learn.
    const found = yield* (yield* store).find(uuid as Row["uuid"])
    return found ?? (yield* Effect.fail(missing()))
  }),
  list: Effect.fnUntraced(function* (_: Authorized<Extract<Action, `${N}.list`>>, page: PageRequest) {
    return yield* pageOf(yield* store, page)
  }),
  stream: (_: Authorized<Extract<Action, `${N}.list`>>) =>
    Stream.unwrap(Effect.map(store, (collection) => streamOf(collection.list)))
})

/** Makes the use case that removes a row, unless others need it. */
export const removing = <N extends Noun, Id, Row extends Entity, Missing>(
  _noun: N,
  store: Context.Service<Id, Collection<Row>>,
  missing: () => Missing
) =>
  Effect.fnUntraced(function* (_: Authorized<Extract<Action, `${N}.delete`>>, uuid: string) {
    const removed = yield* (yield* store).remove(uuid as Row["uuid"])
    if (!removed) return yield* Effect.fail(missing())
  })
