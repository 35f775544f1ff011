import { Schema } from "effect"

const Change = Schema.Struct({
  action: Schema.String,
  type: Schema.String,
  environment: Schema.String,
  name: Schema.String,
  fields: Schema.Array(Schema.Struct({ field: Schema.String, before: Schema.Unknown, after: Schema.Unknown })),
  variables: Schema.Array(Schema.String)
})

/** The plan of a manifest as the platform returns it. */
export const Plan = Schema.Struct({
  changes: Schema.Array(Change),
  problems: Schema.Array(Schema.Struct({ line: Schema.Number, field: Schema.String, problem: Schema.String }))
})

const shown = (value: unknown): string => JSON.stringify(value)

/**
 * Returns the lines of a change: what happens to which resource, and each field and variable below.
 *
 * @example
 * linesOfChange({ action: "create", type: "database", environment: "production", name: "db", fields: [{ field: "type", before: null, after: "redis" }], variables: [] }) // => ["create database db in production", "  type: \"redis\""]
 */
export const linesOfChange = (change: typeof Change.Type): ReadonlyArray<string> => {
  const { action, environment, fields, name, type, variables } = change
  const where = type === "environment" ? "" : ` in ${environment}`
  return [
    type === "variable" ? `${action} variables of ${name}${where}` : `${action} ${type} ${name}${where}`,
    ...fields.map(({ after, before, field }) =>
      before === null ? `  ${field}: ${shown(after)}` : `  ${field}: ${shown(before)} → ${shown(after)}`
    ),
    ...variables.map((key) => `  ${key}`)
  ]
}
