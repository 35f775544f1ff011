import type {
  Duplicate,
  Missing,
  NewOwned,
  Owned,
  OwnedChange,
  OwnedList,
  OwnedPage,
  OwnedScope,
  OwnedTypes
} from "@slipway/domain"
import type { KindOf } from "@slipway/domain/forge/access"
import type { LoadedAction, LoadedKind, Proof, Resources } from "@slipway/domain/forge/entry"
import type { NewsAfter } from "@slipway/domain/forge/events"
import type { Details } from "@slipway/domain/forge/identity"

import { Effect } from "effect"
import { audited } from "../events/record.ts"

type ResourceOf<A extends LoadedAction> = Resources[KindOf<A> & LoadedKind]

type OrEffect<A, E, R> = A | Effect.Effect<A, E, R>

const toEffect = <A, E, R>(value: OrEffect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.isEffect(value) ? (value as Effect.Effect<A, E, R>) : Effect.succeed(value as A)

type Verb = "list" | "read" | "create" | "edit" | "delete"

// Asked of each name alone: looking through all actions for it costs the compiler much.
type Known<Name extends string> = Name extends LoadedAction ? Name : never

/** The actions of a noun: of `label`, `label.list` and so on, as far as there are such. */
type ActionOf<Noun extends string, V extends Verb> = Known<`${Noun}.${V}`>

/** The type-specific parts of the use cases of a resource type. */
export interface OwnedParts<T extends OwnedTypes, Noun extends string, Input, Change, Absent, Refusal, E, R, L> {
  /** Within what the rows lie that an action on a thing is about. */
  readonly scope: (resource: ResourceOf<ActionOf<Noun, Verb>>) => OwnedScope<T>
  /** The row that an input asks for, but for what it lies within. */
  readonly made?: (
    input: Input,
    resource: ResourceOf<ActionOf<Noun, "create">>
  ) => OrEffect<Omit<NewOwned<T>, T["within"]> & Partial<NewOwned<T>>, E, R>
  /** What of a row an input changes. */
  readonly changed?: (change: Change, resource: ResourceOf<ActionOf<Noun, "edit">>) => OrEffect<OwnedChange<T>, E, R>
  readonly notFound: (id: number) => Absent
  /** The error for a refused row: a duplicate name or a missing parent. */
  readonly refused: (error: Missing | Duplicate, resource: ResourceOf<ActionOf<Noun, "create" | "edit">>) => Refusal
  /** The event details of a changed row. */
  readonly details: (row: T["row"]) => Details
  /** The row as the use case leaves it, from which webhook payloads are rendered. */
  readonly leaves?: (row: T["row"]) => Effect.Effect<NewsAfter, never, L>
  /** What else comes of a row that was made, or changed from what it was then, in the same transaction. */
  readonly follows?: (
    row: T["row"],
    before: T["row"] | undefined,
    resource: ResourceOf<ActionOf<Noun, "create" | "edit">>
  ) => Effect.Effect<void, never, R>
}

/**
 * Makes the plain use cases of an owned kind, for the actions of a noun such as `organization.label`.
 *
 * Each takes a proof; those that change a row are one transaction and leave one event.
 */
export const ownedUseCases = <
  T extends OwnedTypes,
  const Noun extends string,
  Absent,
  Refusal,
  Input = never,
  Change = never,
  E = never,
  R = never,
  L = never
>(
  kind: Owned<T>,
  _noun: Noun,
  {
    changed,
    details,
    follows,
    leaves,
    made,
    notFound,
    refused,
    scope
  }: OwnedParts<T, Noun, Input, Change, Absent, Refusal, E, R, L>
) => {
  // BOUNDARY: the resource of a proof is that of its action, which is one of these.
  const scopeOf = (proof: { readonly resource: unknown }) => scope(proof.resource as never)
  const given = <A>(row: A | undefined, id: number): Effect.Effect<A, Absent> =>
    row === undefined ? Effect.fail(notFound(id)) : Effect.succeed(row)
  const meaning =
    (proof: { readonly resource: unknown }) =>
    (error: Missing | Duplicate): Refusal =>
      refused(error, proof.resource as never)
  const told = (row: T["row"]) => ({ details: details(row) })
  const left = (row: T["row"]) => (leaves === undefined ? Effect.succeed<NewsAfter>({}) : leaves(row))

  const removed = audited(
    Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "delete">>, id: number) {
      return yield* given(yield* (yield* kind.store).remove(scopeOf(proof), id), id)
    }),
    (row) => told(row)
  )

  return {
    /** Lists the rows within the thing that the proof is about. */
    list: Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "list">>, page: OwnedPage, list?: OwnedList<T>) {
      return yield* (yield* kind.store).list(scopeOf(proof), page, list)
    }),
    /** Reads one row within the thing that the proof is about. */
    read: Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "read">>, id: number) {
      return yield* given(yield* (yield* kind.store).find(scopeOf(proof), id), id)
    }),
    /** Makes a row within the thing that the proof is about. */
    create: audited(
      Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "create">>, input: Input) {
        if (made === undefined) return yield* Effect.die(new Error(`nothing makes a ${kind.name}`))
        const row = yield* toEffect(made(input, proof.resource as never))
        const store = yield* kind.store
        // BOUNDARY: a row is what its maker gives and what it lies within.
        const inserted = yield* Effect.mapError(store.insert({ ...row, ...scopeOf(proof) } as never), meaning(proof))
        if (follows !== undefined) yield* follows(inserted, undefined, proof.resource as never)
        return inserted
      }),
      (row) => told(row),
      (_, row) => left(row)
    ),
    /** Changes what is given of a row. */
    edit: audited(
      Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "edit">>, id: number, change: Change) {
        if (changed === undefined) return yield* Effect.die(new Error(`nothing changes a ${kind.name}`))
        const after = yield* toEffect(changed(change, proof.resource as never))
        const store = yield* kind.store
        // Another may have changed it since it was loaded, so that what follows is decided on what it is now.
        const before = follows === undefined ? undefined : yield* store.lock(scopeOf(proof), id)
        const row = yield* Effect.mapError(store.patch(scopeOf(proof), id, after), meaning(proof))
        const present = yield* given(row, id)
        if (follows !== undefined) yield* follows(present, before, proof.resource as never)
        return present
      }),
      (row) => told(row),
      (_, row) => left(row)
    ),
    /** Removes a row. */
    remove: (proof: Proof<ActionOf<Noun, "delete">>, id: number) => Effect.asVoid(removed(proof, id))
  }
}
