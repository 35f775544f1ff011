import type { Collection, Entity, New } from "@slipway/domain"
import { Result } from "effect"
import type { Database, Snapshot } from "./Database.ts"
import type { Table } from "./Table.ts"

/**
 * Returns a function that reads rows by their uuids. The result has each existing row once, in the order of insertion.
 * `present` adds values from other tables to a row.
 */
export const findMany =
  <R extends Entity>(
    database: Database,
    table: Table<R>,
    present: (snapshot: Snapshot, row: R) => R = (_, row) => row
  ) =>
  (uuids: ReadonlyArray<R["uuid"]>) =>
    database.read((snapshot) =>
      [...new Set(uuids)]
        .flatMap((uuid) => table.find(snapshot, uuid) ?? [])
        .toSorted((one, other) => one.id - other.id)
        .map((row) => present(snapshot, row))
    )

/**
 * Returns the collection of a table: its methods to insert, find, list, count, replace and remove rows. `present` adds
 * values from other tables to a row.
 */
export const collection = <R extends Entity>(
  database: Database,
  table: Table<R>,
  present: (snapshot: Snapshot, row: R) => R = (_, row) => row
): Collection<R> => {
  const find = (uuid: R["uuid"]) =>
    database.read((snapshot) => {
      const row = table.find(snapshot, uuid)
      return row === undefined ? undefined : present(snapshot, row)
    })
  return {
    insert: (row: New<R>) =>
      database.write((snapshot) => Result.map(table.insert(snapshot, row), (stored) => present(snapshot, stored))),
    find,
    // Transactions run one after the other, so this needs no lock.
    lock: find,
    list: (window) => database.read((snapshot) => table.list(snapshot, window).map((row) => present(snapshot, row))),
    count: database.read((snapshot) => table.count(snapshot)),
    replace: (row) =>
      database.write((snapshot) => {
        const stored = table.find(snapshot, row.uuid)
        return stored === undefined ? Result.succeed(false) : table.replace(snapshot, { ...row, id: stored.id })
      }),
    remove: (uuid) =>
      database.write((snapshot) => {
        const stored = table.find(snapshot, uuid)
        return stored === undefined ? Result.succeed(false) : table.remove(snapshot, stored.id)
      })
  }
}
