import { PgTypes } from "@effect/sql-pg"
import { mostRestores } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"
import type { reader } from "../base/reader.ts"

/** The tables of restores of databases or storages. The names are constants, because they become part of the SQL. */
interface RestoreTables<Restore, Run> {
  readonly table: string
  readonly rows: ReturnType<typeof reader<Restore>>
  /** The column with the database or the storage of a restore. */
  readonly owner: string
  readonly runTable: string
  readonly runs: ReturnType<typeof reader<Run>>
}

/** Returns the statements that stores of restores share. */
export const restoreTables = <
  Restore extends { readonly uuid: string },
  Run extends { readonly restoreUuid: Restore["uuid"] }
>(
  sql: SqlClient,
  tables: RestoreTables<Restore, Run>
) => {
  const { rows, runs } = tables
  const [table, owner, runTable] = [sql.literal(tables.table), sql.literal(tables.owner), sql.literal(tables.runTable)]
  const lastRuns = (restores: ReadonlyArray<Restore>) =>
    Effect.map(
      orDieSql(
        sql`SELECT DISTINCT ON (restore_uuid) ${sql.literal(runs.all)} FROM ${runTable}
          WHERE ${sql.in(
            "restore_uuid",
            restores.map(({ uuid }) => uuid)
          )} ORDER BY restore_uuid, id DESC`.values
      ),
      (found) => new Map(runs.read(found).map((run) => [run.restoreUuid, run]))
    )
  return {
    /** Lists the restores of an owner with their last attempts, newest first. */
    ofOwner: Effect.fnUntraced(function* (uuid: string) {
      const all = sql.literal(rows.all)
      const restores = rows.read(
        yield* orDieSql(sql`SELECT ${all} FROM ${table} WHERE ${owner} = ${lookup(uuid)} ORDER BY id DESC`.values)
      )
      if (restores.length === 0) return []
      const last = yield* lastRuns(restores)
      return restores.map((restore) => ({ restore, run: last.get(restore.uuid) ?? null }))
    }),
    /** Removes the oldest restores of an owner that neither wait nor run, and keeps the newest ones. */
    forget: (uuid: string) => sql`
      DELETE FROM ${table} WHERE NOT is_asked AND lease_until IS NULL AND id IN (
        SELECT id FROM ${table} WHERE ${owner} = ${uuid} ORDER BY id DESC OFFSET ${PgTypes.int4(mostRestores)})`
  }
}
