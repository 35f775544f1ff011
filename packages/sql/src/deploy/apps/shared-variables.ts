import { PgTypes } from "@effect/sql-pg"
import { type SharedOwner, type SharedVariable, SharedVariableStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { boolean, integer, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader } from "../base/reader.ts"

const shared = reader<SharedVariable>("shared_variable", {
  id: integer("id"),
  uuid: text("uuid"),
  scope: text("scope"),
  owner: text("owner"),
  key: text("key"),
  value: text("value"),
  isLiteral: boolean("is_literal"),
  isMultiline: boolean("is_multiline"),
  isShownOnce: boolean("is_shown_once"),
  comment: nullable(text("comment")),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})
const keyOf = ({ owner, scope }: SharedOwner) => `${scope} ${owner}`

/** Stores shared variables in PostgreSQL. */
export const layerSharedVariables = Layer.effect(
  SharedVariableStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(shared.all)
    return {
      ofOwners: (owners) =>
        owners.length === 0
          ? Effect.succeed([])
          : Effect.map(
              orDieSql(
                sql`SELECT ${all} FROM shared_variable WHERE ${sql.in("owner_key", owners.map(keyOf))} ORDER BY id`
                  .values
              ),
              shared.read
            ),
      insert: (row) =>
        Effect.map(
          orDieSql(
            sql`
            INSERT INTO shared_variable (uuid, scope, owner, key, value, is_literal, is_multiline, is_shown_once, comment,
              created_at, updated_at)
            VALUES (${row.uuid}, ${row.scope}, ${row.owner}, ${row.key}, ${row.value}, ${PgTypes.bool(row.isLiteral)},
              ${PgTypes.bool(row.isMultiline)}, ${PgTypes.bool(row.isShownOnce)}, ${row.comment}, ${moment(row.createdAt)},
              ${moment(row.updatedAt)})
            ON CONFLICT DO NOTHING RETURNING ${all}`.values
          ),
          (rows) => shared.read(rows)[0]
        ),
      lock: (uuid) =>
        Effect.map(
          orDieSql(sql`SELECT ${all} FROM shared_variable WHERE uuid = ${lookup(uuid)} FOR NO KEY UPDATE`.values),
          (rows) => shared.read(rows)[0]
        ),
      replace: (row) => {
        const replaced = Effect.map(
          sql`
            UPDATE shared_variable SET key = ${row.key}, value = ${row.value}, is_literal = ${PgTypes.bool(row.isLiteral)},
              is_multiline = ${PgTypes.bool(row.isMultiline)}, is_shown_once = ${PgTypes.bool(row.isShownOnce)},
              comment = ${row.comment}, updated_at = ${moment(row.updatedAt)}
            WHERE uuid = ${row.uuid} RETURNING id`.values,
          (rows) => rows.length > 0
        )
        // In a savepoint: a violated constraint would end the transaction.
        return orDieSql(
          Effect.catchIf(
            sql.withTransaction(replaced),
            (error) => error.reason._tag === "UniqueViolation",
            () => Effect.succeed(false)
          )
        )
      },
      remove: (uuid) =>
        Effect.map(
          orDieSql(sql`DELETE FROM shared_variable WHERE uuid = ${lookup(uuid)} RETURNING id`.values),
          (rows) => rows.length > 0
        )
    }
  })
)
