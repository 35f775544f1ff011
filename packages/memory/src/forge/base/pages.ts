import {
  nameKey,
  type Page,
  type PageRequest,
  pageOfRows,
  pageWindow,
  placeOfCursor,
  type SortKey
} from "@slipway/domain"
import { byCodePoints } from "../../codePoints.ts"
import type { Snapshot } from "../../Database.ts"
import type { Row, Table } from "../../Table.ts"

/** Returns the sort key of a row for lists that are sorted by id. */
export const byId = (row: { readonly id: number }): SortKey => [row.id]
/** Returns the sort key of a row for lists that are sorted by name, ignoring case. */
export const byNamePlace = (row: { readonly name: string }): SortKey => [nameKey(row.name)]

/** Compares two sort keys, part by part. */
export const comparePlaces = (one: SortKey, other: SortKey): number =>
  one.reduce<number>((found, value, at) => {
    const against = other[at]
    if (found !== 0 || against === undefined) return found
    return typeof value === "string" ? byCodePoints(value, String(against)) : value - Number(against)
  }, 0)

/** Returns rows sorted by `placeOf`, which is called once per row. */
export const sortedByPlace = <R>(rows: Iterable<R>, placeOf: (row: R) => SortKey, { descending = false } = {}) =>
  Array.from(rows, (row) => ({ row, place: placeOf(row) }))
    .sort((one, other) => comparePlaces(one.place, other.place) * (descending ? -1 : 1))
    .map(({ row }) => row)

/** Returns one page of sorted rows, and reads only the rows that the page needs. */
export const cut = <R>(
  rows: Iterable<R>,
  page: PageRequest,
  placeOf: (row: R) => SortKey,
  { descending = false } = {}
): Page<R> => {
  const window = pageWindow(page)
  const { after, limit, most, skip } = window
  const shown: Array<R> = []
  let found = 0
  let place: SortKey | undefined
  for (const row of rows) {
    if (after !== undefined) {
      const own = placeOf(row)
      place ??= placeOfCursor(
        after,
        own.map((value) => (typeof value === "string" ? "text" : "number"))
      )
      if (place === undefined) break
      if (comparePlaces(own, place) * (descending ? -1 : 1) <= 0) continue
    }
    if (found >= skip && shown.length < limit) shown.push(row)
    found += 1
    if (found === most) break
  }
  return pageOfRows(window, found, shown, placeOf)
}

const batchSize = 200

/** Iterates over the rows of a table in the order of their ids. Reads each row only when it is needed. */
export function* rowsOfTable<R extends Row>(table: Pick<Table<R>, "list">, snapshot: Snapshot): Generator<R> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const rows: ReadonlyArray<R> = table.list(snapshot, { after, limit: batchSize })
    yield* rows
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id
  }
}

/** Iterates over the rows for which `holds` returns true. Reads each row only when it is needed. */
export function* filterRows<R>(rows: Iterable<R>, holds: (row: R) => boolean): Generator<R> {
  for (const row of rows) if (holds(row)) yield row
}
