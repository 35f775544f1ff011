import type { Collection, Entity, Listing, PageRequest } from "@slipway/domain"
import { pageOf, streamOf } from "@slipway/domain"
import { type Action, type Authorized, type Caller, type LoadedThings, visibleTo } from "@slipway/domain/deploy/entry"
import type { VisibleCollection } from "@slipway/domain/deploy/identity"
import type { KeyUsers, PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import { type Context, Effect, Stream } from "effect"

/** The resource types that have a list action. */
type Listed = { [A in Action]: A extends `${infer N}.list` ? N : never }[Action]

/** Returns the rows of a collection that a caller may read, as a collection with pagination. */
export const readableBy = <Row extends Entity>(
  caller: Caller,
  reads: Action,
  {
    countVisible,
    listVisible,
    pageVisible
  }: Pick<VisibleCollection<Row>, "countVisible" | "listVisible" | "pageVisible">
): Listing<Row> => {
  const visible = visibleTo(caller, reads)
  return {
    count: countVisible(visible),
    list: (window) => listVisible(visible, window),
    page: pageVisible && ((window) => pageVisible(visible, window))
  }
}

// BOUNDARY: every list proof carries its caller, which the compiler can't follow for any `N`.
const callerOf = (proof: { readonly resource: unknown }) => (proof.resource as { readonly caller: Caller }).caller

/**
 * Builds the list use cases of a resource type: `list` reads a page, and `stream` reads all rows. Both return only rows
 * that the caller may read.
 *
 * Reading a single resource needs no use case, because the proof of its authorization contains the resource.
 */
export const listUseCase = <N extends Listed, Id, Row extends Entity>(
  noun: N,
  store: Context.Service<Id, VisibleCollection<Row>>
) => {
  const readable = (proof: { readonly resource: unknown }) =>
    Effect.map(store, (collection) => readableBy(callerOf(proof), `${noun}.read` as Action, collection))
  return {
    list: Effect.fnUntraced(function* (proof: Authorized<Extract<Action, `${N}.list`>>, page: PageRequest) {
      return yield* pageOf(yield* readable(proof), page)
    }),
    stream: (proof: Authorized<Extract<Action, `${N}.list`>>) =>
      Stream.unwrap(Effect.map(readable(proof), ({ list }) => streamOf(list)))
  }
}

/**
 * Builds the list use cases of a resource type with rows that may use a private key. `key` selects the rows with that
 * key.
 */
export const listUseCaseWithKey = <N extends Listed, Id, Row extends Entity>(
  noun: N,
  store: Context.Service<Id, VisibleCollection<Row> & KeyUsers<Row>>
) => {
  const readable = (proof: { readonly resource: unknown }, key: PrivateKeyUuid | undefined) =>
    Effect.map(store, (collection): Listing<Row> => {
      const caller = callerOf(proof)
      const reads = `${noun}.read` as Action
      if (key === undefined) return readableBy(caller, reads, collection)
      const visible = visibleTo(caller, reads)
      return {
        count: collection.countWithKey(key, visible),
        list: (window) => collection.withKey(key, window, visible)
      }
    })
  return {
    list: Effect.fnUntraced(function* (
      proof: Authorized<Extract<Action, `${N}.list`>>,
      page: PageRequest,
      key?: PrivateKeyUuid
    ) {
      return yield* pageOf(yield* readable(proof, key), page)
    }),
    stream: (proof: Authorized<Extract<Action, `${N}.list`>>, key?: PrivateKeyUuid) =>
      Stream.unwrap(Effect.map(readable(proof, key), ({ list }) => streamOf(list)))
  }
}

/** The resource types that have a delete action. */
type Removed = { [A in Action]: A extends `${infer N}.delete` ? N & keyof LoadedThings : never }[Action]

/** Builds the use case that removes a row; it fails if other rows refer to the row. */
export const removeUseCase = <N extends Removed, Id, Row extends Entity, Missing>(
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
