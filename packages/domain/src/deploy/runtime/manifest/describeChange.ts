import type { ManifestChange } from "./planManifest.ts"

/** A change that applying a manifest makes, in one format for all types of changes; it omits values of variables. */
export interface DescribedChange {
  readonly action: "create" | "update" | "delete"
  readonly type: "application" | "database" | "environment" | "variable"
  readonly environment: string
  /** The name of the changed resource; for a variable, the name of its application. */
  readonly name: string
  /** The changed fields with their old and new values; `before` is null for a new resource. */
  readonly fields: ReadonlyArray<{ readonly field: string; readonly before: unknown; readonly after: unknown }>
  /** The names of the variables that are set or deleted. */
  readonly variables: ReadonlyArray<string>
}

const none = { fields: [], variables: [] } as const

/** Converts a planned change to the common format: the action, the resource and its fields. */
export const describeChange = (change: ManifestChange): DescribedChange => {
  const { environment } = change
  switch (change._tag) {
    case "CreateEnvironment":
      return { action: "create", type: "environment", environment, name: environment, ...none }
    case "CreateDatabase": {
      const { image, name, type } = change
      const declaredFields = Object.entries({ type, ...(image === null ? {} : { image }) })
      const fields = declaredFields.map(([field, after]) => ({ field, before: null, after }))
      return { action: "create", type: "database", environment, name, fields, variables: [] }
    }
    case "ChangeImage": {
      const { after, before, name } = change
      const fields = [{ field: "image", before, after }]
      return { action: "update", type: "database", environment, name, fields, variables: [] }
    }
    case "CreateApplication": {
      const fields = Object.entries(change.fields).map(([field, after]) => ({ field, before: null, after }))
      const variables = change.variables.map(({ key }) => key)
      return { action: "create", type: "application", environment, name: change.name, fields, variables }
    }
    case "ChangeApplication":
      return {
        action: "update",
        type: "application",
        environment,
        name: change.name,
        fields: change.fields,
        variables: []
      }
    case "SetVariables": {
      const variables = change.variables.map(({ key }) => key)
      return { action: "update", type: "variable", environment, name: change.application, fields: [], variables }
    }
    case "DeleteVariable": {
      const { application: name, key } = change
      return { action: "delete", type: "variable", environment, name, fields: [], variables: [key] }
    }
    case "DeleteApplication":
      return { action: "delete", type: "application", environment, name: change.name, ...none }
    case "DeleteDatabase":
      return { action: "delete", type: "database", environment, name: change.name, ...none }
  }
}

/**
 * Formats a described change as one line of text.
 *
 * @example
 * lineOfChange({ action: "create", type: "database", environment: "production", name: "db", fields: [], variables: [] }) // => "create database db in production"
 */
export const lineOfChange = ({ action, environment, fields, name, type, variables }: DescribedChange): string => {
  const what =
    type === "variable" ? `${variables.length === 1 ? "variable" : "variables"} of ${name}` : `${type} ${name}`
  const where = type === "environment" ? "" : ` in ${environment}`
  const named = [...fields.map(({ field }) => field), ...variables].join(", ")
  return `${action} ${what}${where}${named === "" ? "" : `: ${named}`}`
}
