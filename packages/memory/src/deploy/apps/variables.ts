import { VariableStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer, Result } from "effect"
import { Tables } from "../base/tables.ts"
import { applicationRows } from "./applicationRows.ts"

/** Stores variables in memory. */
export const variableStore = Layer.effect(
  VariableStore,
  Effect.map(Tables, ({ application, database, databases, variable, variablesOfApplication }) => ({
    ...applicationRows({ application, database, databases }, variable, variablesOfApplication),
    replaceMany: (rows) =>
      Effect.asVoid(
        Effect.orDie(database.write((snapshot) => Result.all(rows.map((row) => variable.replace(snapshot, row)))))
      )
  }))
)
