import { ServiceError } from "@slipway/client/forge"
import type { Submitted } from "../page/Page.ts"

/** The HTTP statuses with which the API rejects the values of a form. */
const aboutValues: ReadonlyArray<number> = [400, 409, 412, 413, 422]

/**
 * Parses an error message of the API, such as `[field]: problem; [other]: problem`, into messages by field. A message
 * without field names is returned under the key `""`.
 */
export const problemsOf = (message: string): Readonly<Record<string, string>> => {
  const parts = [...message.matchAll(/\[([\w.]+)\]: (.*?)(?=; \[[\w.]+\]: |$)/gs)]
  if (parts.length === 0) return { "": message }
  return Object.fromEntries(parts.map(([, field = "", problem = ""]) => [field, problem]))
}

/**
 * Converts a rejection by the API to error messages at the fields of the form. Throws every other error.
 *
 * `fields` maps field names of the API to form fields with another name. Its key `""` names the form field for messages
 * without a field.
 */
export const rejectedAt = (error: unknown, fields: Readonly<Record<string, string>> = {}): Submitted => {
  if (!(error instanceof ServiceError) || !aboutValues.includes(error.status)) throw error
  const { message } = (error.body ?? {}) as { readonly message?: unknown }
  const problems = problemsOf(typeof message === "string" ? message : error.message)
  return {
    problems: Object.fromEntries(Object.entries(problems).map(([field, problem]) => [fields[field] ?? field, problem])),
    status: error.status
  }
}
