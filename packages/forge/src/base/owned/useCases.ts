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
import type { EventResourcesAfter } from "@slipway/domain/forge/events"
import type { Details } from "@slipway/domain/forge/identity"

import { Effect } from "effect"
import { audited } from "../events/record.ts"

type ResourceOf<A extends LoadedAction> = Resources[KindOf<A> & LoadedKind]

type OrEffect<A, E, R> = A | Effect.Effect<A, E, R>

const toEffect = <A, E, R>(value: OrEffect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.isEffect(value) ? (value as Effect.Effect<A, E, R>) : Effect.succeed(value as A)

type Verb = "list" | "read" | "create" | "edit" | "delete"

// Checked per name: searching all actions for it is slow to compile.
type Known<Name extends string> = Name extends LoadedAction ? Name : never

/** The actions of a resource type that exist, such as `label.list` for `label`. */
type ActionOf<Noun extends string, V extends Verb> = Known<`${Noun}.${V}`>

/** The parts of the generated use cases that differ by resource type. */
export interface OwnedParts<T extends OwnedTypes, Noun extends string, Input, Change, Absent, Refusal, E, R, L> {
  /** Returns the scope of the rows (the parent resource) from the resource of an action. */
  readonly scope: (resource: ResourceOf<ActionOf<Noun, Verb>>) => OwnedScope<T>
  /** Returns the new row for the input of a request, without its scope. */
  readonly rowOf?: (
    input: Input,
    resource: ResourceOf<ActionOf<Noun, "create">>
  ) => OrEffect<Omit<NewOwned<T>, T["within"]> & Partial<NewOwned<T>>, E, R>
  /** Returns the fields of a row that the input of a request changes. */
  readonly changed?: (change: Change, resource: ResourceOf<ActionOf<Noun, "edit">>) => OrEffect<OwnedChange<T>, E, R>
  readonly notFound: (id: number) => Absent
  /** Returns the error for a row that the store rejects, because of a duplicate name or a missing parent. */
  readonly refused: (error: Missing | Duplicate, resource: ResourceOf<ActionOf<Noun, "create" | "edit">>) => Refusal
  /** Returns the event details of a row. `before` is the row before a change; undefined for a new row. */
  readonly details: (row: T["row"], before: T["row"] | undefined) => Details
  /** Returns the resources after the change, from which webhook payloads are rendered. */
  readonly leaves?: (row: T["row"]) => Effect.Effect<EventResourcesAfter, never, L>
  /**
   * Performs further changes after a row is created or changed, in the same transaction. `before` is the row before a
   * change.
   */
  readonly follows?: (
    row: T["row"],
    before: T["row"] | undefined,
    resource: ResourceOf<ActionOf<Noun, "create" | "edit">>
  ) => Effect.Effect<void, never, R>
}

/**
 * Builds the basic use cases (list, read, create, edit, remove) of an owned resource type, for the actions of a noun
 * such as `organization.label`.
 *
 * Each use case takes a proof of authorization. Each change is one transaction, and records one event.
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
    rowOf,
    notFound,
    refused,
    scope
  }: OwnedParts<T, Noun, Input, Change, Absent, Refusal, E, R, L>
) => {
  // BOUNDARY: the resource of a proof is that of its action, which is one of these.
  const scopeOf = (proof: { readonly resource: unknown }) => scope(proof.resource as never)
  const foundRow = <A>(row: A | undefined, id: number): Effect.Effect<A, Absent> =>
    row === undefined ? Effect.fail(notFound(id)) : Effect.succeed(row)
  const meaning =
    (proof: { readonly resource: unknown }) =>
    (error: Missing | Duplicate): Refusal =>
      refused(error, proof.resource as never)
  const detailsOf = (row: T["row"], before: T["row"] | undefined) => ({ details: details(row, before) })
  const left = (row: T["row"]) => (leaves === undefined ? Effect.succeed<EventResourcesAfter>({}) : leaves(row))

  const removed = audited(
    Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "delete">>, id: number) {
      return yield* foundRow(yield* (yield* kind.store).remove(scopeOf(proof), id), id)
    }),
    (row) => detailsOf(row, row)
  )

  const edited = audited(
    Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "edit">>, id: number, change: Change) {
      if (changed === undefined) return yield* Effect.die(new Error(`no use case updates a ${kind.name}`))
      const after = yield* toEffect(changed(change, proof.resource as never))
      const store = yield* kind.store
      // A concurrent request may have changed the row since it was loaded, so it is read again under a lock.
      const before = follows === undefined ? undefined : yield* store.lock(scopeOf(proof), id)
      const row = yield* Effect.mapError(store.patch(scopeOf(proof), id, after), meaning(proof))
      const present = yield* foundRow(row, id)
      if (follows !== undefined) yield* follows(present, before, proof.resource as never)
      return { row: present, before: before ?? present }
    }),
    ({ before, row }) => detailsOf(row, before),
    (_, { row }) => left(row)
  )

  return {
    /** Lists the rows that belong to the resource of the proof. */
    list: Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "list">>, page: OwnedPage, list?: OwnedList<T>) {
      return yield* (yield* kind.store).list(scopeOf(proof), page, list)
    }),
    /** Reads one row that belongs to the resource of the proof. */
    read: Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "read">>, id: number) {
      return yield* foundRow(yield* (yield* kind.store).find(scopeOf(proof), id), id)
    }),
    /** Creates a row that belongs to the resource of the proof. */
    create: audited(
      Effect.fnUntraced(function* (proof: Proof<ActionOf<Noun, "create">>, input: Input) {
        if (rowOf === undefined) return yield* Effect.die(new Error(`no use case creates a ${kind.name}`))
        const row = yield* toEffect(rowOf(input, proof.resource as never))
        const store = yield* kind.store
        // BOUNDARY: a row is what its maker gives and what it lies within.
        const inserted = yield* Effect.mapError(store.insert({ ...row, ...scopeOf(proof) } as never), meaning(proof))
        if (follows !== undefined) yield* follows(inserted, undefined, proof.resource as never)
        return inserted
      }),
      (row) => detailsOf(row, undefined),
      (_, row) => left(row)
    ),
    /** Changes the given fields of a row that belongs to the resource of the proof. */
    edit: (proof: Proof<ActionOf<Noun, "edit">>, id: number, change: Change) =>
      Effect.map(edited(proof, id, change), ({ row }) => row),
    /** Removes a row that belongs to the resource of the proof. */
    remove: (proof: Proof<ActionOf<Noun, "delete">>, id: number) => Effect.asVoid(removed(proof, id))
  }
}
