import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { type reader, rowsOf } from "../base/reader.ts"

/**
 * Returns the statements that variables and storages share: they are listed, inserted and removed within one
 * application.
 *
 * `inserted` names the columns that a new row sets in addition to those of all, each with its expression on `row`, the
 * JSON of the new row.
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
    ...inserted,
    created_at: "(row ->> 'createdAt')::timestamptz",
    updated_at: "(row ->> 'updatedAt')::timestamptz"
  }
  const [set, given] = [Object.keys(columns), Object.values(columns)].map((each) => sql.literal(each.join(", ")))
  return {
    ofApplication: (application: string) =>
      Effect.map(
        orDieSql(sql`SELECT ${every} FROM ${name} WHERE application_uuid = ${lookup(application)} ORDER BY id`.values),
        read
      ),
    insertMany: (rows: ReadonlyArray<Omit<Row, "id">>): Effect.Effect<ReadonlyArray<Row>> =>
      rows.length === 0
        ? Effect.succeed([])
        : Effect.map(
            orDieSql(
              sql`
              INSERT INTO ${name} (${set})
              SELECT ${given} FROM ${rowsOf(sql, rows)} JOIN application ON application.uuid = row ->> 'applicationUuid'
              ORDER BY place
              ON CONFLICT DO NOTHING RETURNING ${every}`.values
            ),
            read
          ),
    remove: (application: string, uuid: string) =>
      Effect.map(
        orDieSql(
          sql`DELETE FROM ${name} WHERE application_uuid = ${lookup(application)} AND uuid = ${lookup(uuid)} RETURNING id`
            .values
        ),
        (rows) => rows.length > 0
      )
  }
}
