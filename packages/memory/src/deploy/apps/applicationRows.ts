import { Effect, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import type { Row, Table } from "../../Table.ts"
import type { Tables } from "../base/tables.ts"

/**
 * Returns the store methods that variables and storages share: they list, insert and remove the rows of one application
 * or database.
 */
export const applicationRows = <R extends Row & { readonly applicationUuid: string }>(
  { application, database, databases }: Pick<Tables["Service"], "application" | "database" | "databases">,
  table: Table<R>,
  index: { readonly list: (snapshot: Snapshot, application: string) => ReadonlyArray<R> }
) => ({
  ofApplication: (uuid: string) => database.read((snapshot) => index.list(snapshot, uuid)),
  insertMany: (rows: ReadonlyArray<Omit<R, "id"> & { readonly applicationUuid: string }>) =>
    database.write((snapshot) =>
      Result.succeed(
        rows.flatMap((row) => {
          const owner = row.applicationUuid
          if (!application.has(snapshot, owner) && !databases.has(snapshot, owner)) return []
          const inserted = table.insert(snapshot, row)
          return Result.isSuccess(inserted) ? [inserted.success] : []
        })
      )
    ),
  remove: (uuid: string, which: string) =>
    database
      .write((snapshot) => {
        const present = table.find(snapshot, which)
        return present === undefined || present.applicationUuid !== uuid
          ? Result.succeed(false)
          : table.remove(snapshot, present.id)
      })
      .pipe(Effect.orDie)
})
