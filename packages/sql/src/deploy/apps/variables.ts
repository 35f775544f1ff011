import { type Variable, VariableStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { boolean, integer, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader, rowsOf } from "../base/reader.ts"
import { applicationRows, owner } from "./applicationRows.ts"

const variables = reader<Variable>("variable", {
  id: integer("id"),
  uuid: text("uuid"),
  applicationUuid: owner,
  key: text("key"),
  value: text("value"),
  isLiteral: boolean("is_literal"),
  isMultiline: boolean("is_multiline"),
  isShownOnce: boolean("is_shown_once"),
  isPreview: boolean("is_preview"),
  isBuildtime: boolean("is_buildtime"),
  isRuntime: boolean("is_runtime"),
  comment: nullable(text("comment")),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

/** Stores variables in PostgreSQL. */
export const layerVariables = Layer.effect(
  VariableStore,
  Effect.map(SqlClient, (sql) => ({
    ...applicationRows(sql, "variable", variables, {
      key: "row ->> 'key'",
      value: "row ->> 'value'",
      is_literal: "(row -> 'isLiteral')::boolean",
      is_multiline: "(row -> 'isMultiline')::boolean",
      is_shown_once: "(row -> 'isShownOnce')::boolean",
      is_preview: "(row -> 'isPreview')::boolean",
      is_buildtime: "(row -> 'isBuildtime')::boolean",
      is_runtime: "(row -> 'isRuntime')::boolean",
      comment: "row ->> 'comment'"
    }),
    replaceMany: (rows) =>
      rows.length === 0
        ? Effect.void
        : Effect.asVoid(
            orDieSql(sql`
              UPDATE variable SET value = row ->> 'value', is_literal = (row -> 'isLiteral')::boolean,
                is_multiline = (row -> 'isMultiline')::boolean, is_shown_once = (row -> 'isShownOnce')::boolean,
                is_buildtime = (row -> 'isBuildtime')::boolean, is_runtime = (row -> 'isRuntime')::boolean,
                comment = row ->> 'comment', updated_at = (row ->> 'updatedAt')::timestamptz
              FROM ${rowsOf(sql, rows)} WHERE variable.uuid = row ->> 'uuid'`)
          )
  }))
)
