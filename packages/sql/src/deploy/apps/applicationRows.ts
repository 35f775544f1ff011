import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { type Column, text } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { type reader, rowsOf } from "../base/reader.ts"

/** The column for the owner of a variable or storage: an application or a database. */
export const owner: Column<ApplicationUuid> = {
  ...text("application_uuid"),
  expression: (row) => `coalesce(${row}.application_uuid, ${row}.database_uuid)`,
  write: undefined
}

/** Returns the SQL condition that a row belongs to an application or a database. */
export const isOwnedBy = (sql: SqlClient, uuid: string) =>
  sql`(application_uuid = ${lookup(uuid)} OR database_uuid = ${lookup(uuid)})`

/**
 * Returns the store methods that variables and storages share: they list, insert and remove the rows of one application
 * or database.
 *
 * `inserted` names additional columns of a new row. Each has an SQL expression on `row`, which is the new row as JSON.
 */
export const applicationRows = <Row extends object>(
  sql: SqlClient,
  table: "storage" | "variable",
  { all, read }: ReturnType<typeof reader<Row>>,
  inserted: Readonly<Record<string, string>>
) => {
  const [name, every] = [sql.literal(table), sql.literal(all)]
  const columns = {
    uuid: "row ->> 'uuid'",
    application_uuid: "application.uuid",
    database_uuid: "database.uuid",
    ...inserted,
    created_at: "(row ->> 'createdAt')::timestamptz",
    updated_at: "(row ->> 'updatedAt')::timestamptz"
  }
  const [set, values] = [Object.keys(columns), Object.values(columns)].map((each) => sql.literal(each.join(", ")))
  return {
    ofApplication: (application: string) =>
      Effect.map(
        orDieSql(sql`SELECT ${every} FROM ${name} WHERE ${isOwnedBy(sql, application)} ORDER BY id`.values),
        read
      ),
    insertMany: (rows: ReadonlyArray<Omit<Row, "id">>): Effect.Effect<ReadonlyArray<Row>> =>
      rows.length === 0
        ? Effect.succeed([])
        : Effect.map(
            orDieSql(
              sql`
              INSERT INTO ${name} (${set})
              SELECT ${values} FROM ${rowsOf(sql, rows)}
              LEFT JOIN application ON application.uuid = row ->> 'applicationUuid'
              LEFT JOIN database ON database.uuid = row ->> 'applicationUuid'
              WHERE application.uuid IS NOT NULL OR database.uuid IS NOT NULL
              ORDER BY place
              ON CONFLICT DO NOTHING RETURNING ${every}`.values
            ),
            read
          ),
    remove: (application: string, uuid: string) =>
      Effect.map(
        orDieSql(
          sql`DELETE FROM ${name} WHERE ${isOwnedBy(sql, application)} AND uuid = ${lookup(uuid)} RETURNING id`.values
        ),
        (rows) => rows.length > 0
      )
  }
}
