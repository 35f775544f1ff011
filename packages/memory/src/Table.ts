import { Duplicate, InUse, type Window } from "@slipway/domain"
import { Predicate, Result } from "effect"
import type { Snapshot } from "./Database.ts"
import * as Sorted from "./Sorted.ts"

/** The columns that every row of a table has. */
export interface Row {
  readonly id: number
}

/**
 * A unique constraint of a table. `key` returns a row's key, or null for a row without a unique key. A second row with
 * the same key fails with `Duplicate({ of })`.
 */
export interface UniqueKey<R> {
  readonly of: string
  readonly key: (row: R) => string | null
}

/**
 * An index of a table. `order` returns the number that sorts the rows with one key; if it is omitted, they are sorted
 * by id.
 */
export interface Index<R> {
  readonly key: (row: R) => string | null
  readonly order?: (row: R) => number
}

interface State<R> {
  readonly last: number
  readonly rows: Sorted.Sorted<number, R>
  readonly unique: ReadonlyArray<Sorted.Sorted<string, number>>
  readonly indexes: ReadonlyArray<Sorted.Sorted<string, Sorted.Sorted<number, number>>>
}

/** The part of a table that foreign keys refer to. It does not depend on the row type. */
export interface Referred {
  readonly name: string
  readonly has: (snapshot: Snapshot, key: string) => boolean
  readonly referrers: Array<Referrer>
}

interface Referrer {
  readonly name: string
  readonly onRemove: "removes" | "refused"
  readonly of: (snapshot: Snapshot, key: string) => ReadonlyArray<number>
  readonly remove: (snapshot: Snapshot, id: number) => Result.Result<boolean, InUse>
}

// Rows are copied and frozen on insertion, so that stored values can't be changed.
const frozen = <A>(value: A): A => {
  if (Array.isArray(value)) return Object.freeze(value.map(frozen)) as A
  if (!Predicate.isObject(value)) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, frozen(each)]))) as A
}

/** Rows with ids, unique keys, indexes and references to rows of other tables. */
export class Table<R extends Row> implements Referred {
  readonly name: string
  readonly referrers: Array<Referrer> = []
  readonly #unique: ReadonlyArray<UniqueKey<R>>
  readonly #indexes: Array<Index<R>> = []
  readonly #references: Array<{ readonly key: (row: R) => string | null; readonly to: ReadonlyArray<Referred> }> = []
  readonly #empty: State<R>

  /** Makes a table with its unique constraints. Foreign keys of other tables refer to the first one. */
  constructor(name: string, unique: ReadonlyArray<UniqueKey<R>>) {
    this.name = name
    this.#unique = unique
    this.#empty = { last: 0, rows: undefined, unique: unique.map(() => undefined), indexes: [] }
  }

  // BOUNDARY: a snapshot maps each table to the state that this method alone reads and `#save` alone writes.
  #state(snapshot: Snapshot): State<R> {
    return (snapshot.tables.get(this) as State<R> | undefined) ?? this.#empty
  }

  #save(snapshot: Snapshot, state: State<R>): void {
    snapshot.tables.set(this, state)
  }

  /** Adds an index and returns its reader. Add every index before the first row is inserted. */
  index(index: Index<R>) {
    const at = this.#indexes.push(index) - 1
    const ids = (snapshot: Snapshot, key: string) => Sorted.get(this.#state(snapshot).indexes[at], key)
    return {
      ids: (snapshot: Snapshot, key: string): ReadonlyArray<number> => Sorted.slice(ids(snapshot, key)),
      count: (snapshot: Snapshot, key: string): number => Sorted.size(ids(snapshot, key)),
      /** Iterates over the keys of rows. */
      keys: (snapshot: Snapshot): Iterable<string> => Sorted.keys(this.#state(snapshot).indexes[at]),
      /** Lists a window of the rows of a key; `after` is a position in the order of the index. */
      list: (snapshot: Snapshot, key: string, window?: Window): ReadonlyArray<R> => {
        const { rows } = this.#state(snapshot)
        return windowed(ids(snapshot, key), window).flatMap((id) => Sorted.get(rows, id) ?? [])
      }
    }
  }

  /**
   * Declares a foreign key of this table.
   *
   * The key of a row is null, or the first unique key of an existing row in `to`. If `to` lists several tables, no key
   * may occur in two of them. When the referenced row is removed, `onRemove` removes the referencing row, rejects the
   * removal, or changes the referencing row with a function.
   */
  refer(
    key: (row: R) => string | null,
    to: Referred | ReadonlyArray<Referred>,
    onRemove: "removes" | "refused" | ((row: R) => R)
  ): void {
    const { ids } = this.index({ key })
    const targets = [to].flat()
    const add = (referrer: Referrer) => {
      for (const target of targets) target.referrers.push(referrer)
    }
    this.#references.push({ key, to: targets })
    if (typeof onRemove === "string") {
      add({ name: this.name, onRemove, of: ids, remove: (snapshot, id) => this.remove(snapshot, id) })
      return
    }
    const letGo = (snapshot: Snapshot, id: number) => {
      const row = this.get(snapshot, id)
      return row === undefined
        ? Result.succeed(false)
        : Result.succeed(Result.getOrThrow(this.replace(snapshot, onRemove(row))))
    }
    add({ name: this.name, onRemove: "removes", of: ids, remove: letGo })
  }

  #write(state: State<R>, row: R, present: R | undefined): State<R> {
    const without =
      present === undefined
        ? state
        : {
            unique: this.#unique.map(({ key }, at) => unset(state.unique[at], key(present))),
            indexes: this.#indexes.map((index, at) => unindexed(state.indexes[at], index, present))
          }
    return {
      last: Math.max(state.last, row.id),
      rows: Sorted.set(state.rows, row.id, row),
      unique: this.#unique.map(({ key: keyOf }, at) => {
        const key = keyOf(row)
        return key === null ? without.unique[at] : Sorted.set(without.unique[at], key, row.id)
      }),
      indexes: this.#indexes.map((index, at) => indexed(without.indexes[at], index, row))
    }
  }

  #put(snapshot: Snapshot, row: R, present: R | undefined): Result.Result<R, Duplicate> {
    const state = this.#state(snapshot)
    for (const [at, { key, of }] of this.#unique.entries()) {
      const sought = key(row)
      const holder = sought === null ? undefined : Sorted.get(state.unique[at], sought)
      if (holder !== undefined && holder !== row.id) return Result.fail(new Duplicate({ of }))
    }
    for (const { key, to } of this.#references) {
      const uuid = key(row)
      if (uuid !== null && !to.some((each) => each.has(snapshot, uuid))) {
        throw new Error(`${this.name} refers to a missing ${to.map(({ name }) => name).join(" or ")}`)
      }
    }
    const frozenRow = frozen(row)
    this.#save(snapshot, this.#write(state, frozenRow, present))
    return Result.succeed(frozenRow)
  }

  /** Inserts a row with the next free id. Fails with `Duplicate` if a unique key is taken. */
  insert(snapshot: Snapshot, row: Omit<R, "id">): Result.Result<R, Duplicate> {
    return this.#put(snapshot, { ...row, id: this.#state(snapshot).last + 1 } as R, undefined)
  }

  /** Inserts a row with an id that another table assigned. Throws if the id is taken. */
  insertNumbered(snapshot: Snapshot, row: R): Result.Result<R, Duplicate> {
    if (this.get(snapshot, row.id) !== undefined) throw new Error(`${this.name} already has a row with that id`)
    return this.#put(snapshot, row, undefined)
  }

  /** Replaces the row with the same id; returns false if no such row exists. */
  replace(snapshot: Snapshot, row: R): Result.Result<boolean, Duplicate> {
    const present = this.get(snapshot, row.id)
    return present === undefined ? Result.succeed(false) : Result.map(this.#put(snapshot, row, present), () => true)
  }

  /**
   * Removes a row, and the rows that foreign keys remove with it; returns false if the row does not exist. Fails with
   * `InUse` if a foreign key rejects the removal.
   */
  remove(snapshot: Snapshot, id: number): Result.Result<boolean, InUse> {
    const present = this.get(snapshot, id)
    if (present === undefined) return Result.succeed(false)
    const [uuid] = this.#unique
    const key = uuid?.key(present) ?? ""
    for (const { name, of, onRemove } of this.referrers) {
      if (onRemove === "refused" && of(snapshot, key).length > 0) return Result.fail(new InUse({ by: name }))
    }
    for (const { of, onRemove, remove } of this.referrers) {
      if (onRemove === "refused") continue
      for (const each of of(snapshot, key)) {
        const removed = remove(snapshot, each)
        if (Result.isFailure(removed)) return removed
      }
    }
    const state = this.#state(snapshot)
    this.#save(snapshot, {
      ...state,
      rows: Sorted.remove(state.rows, id),
      unique: this.#unique.map(({ key }, at) => unset(state.unique[at], key(present))),
      indexes: this.#indexes.map((index, at) => unindexed(state.indexes[at], index, present))
    })
    return Result.succeed(true)
  }

  get(snapshot: Snapshot, id: number): R | undefined {
    return Sorted.get(this.#state(snapshot).rows, id)
  }

  /** Finds the row with a unique key. `at` is the position of the unique constraint; the default is the first one. */
  find(snapshot: Snapshot, key: string, at = 0): R | undefined {
    const state = this.#state(snapshot)
    const id = Sorted.get(state.unique[at], key)
    return id === undefined ? undefined : Sorted.get(state.rows, id)
  }

  has(snapshot: Snapshot, key: string): boolean {
    return this.find(snapshot, key) !== undefined
  }

  list(snapshot: Snapshot, window: Window): ReadonlyArray<R> {
    return windowed(this.#state(snapshot).rows, window)
  }

  count(snapshot: Snapshot): number {
    return Sorted.size(this.#state(snapshot).rows)
  }
}

const unset = (map: Sorted.Sorted<string, number>, key: string | null) => (key === null ? map : Sorted.remove(map, key))

const windowed = <V>(map: Sorted.Sorted<number, V>, window: Window = { limit: Number.POSITIVE_INFINITY }) =>
  Sorted.slice(
    map,
    (window.after === undefined ? 0 : Sorted.rank(map, window.after)) + (window.skip ?? 0),
    window.limit
  )

type IndexState = Sorted.Sorted<string, Sorted.Sorted<number, number>>
const placeOf = <R extends Row>(index: Index<R>, row: R): number => index.order?.(row) ?? row.id

const indexed = <R extends Row>(state: IndexState, index: Index<R>, row: R): IndexState => {
  const key = index.key(row)
  return key === null ? state : Sorted.set(state, key, Sorted.set(Sorted.get(state, key), placeOf(index, row), row.id))
}

const unindexed = <R extends Row>(state: IndexState, index: Index<R>, row: R): IndexState => {
  const key = index.key(row)
  if (key === null) return state
  const others = Sorted.remove(Sorted.get(state, key), placeOf(index, row))
  return others === undefined ? Sorted.remove(state, key) : Sorted.set(state, key, others)
}
