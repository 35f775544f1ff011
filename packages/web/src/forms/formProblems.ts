import { ServiceError } from "@slipway/client/forge"
import type { Submitted } from "../page/Page.ts"

/** The statuses with which the API rejects the values of a form. */
const aboutValues: ReadonlyArray<number> = [400, 409, 412, 413, 422]

/** Returns the messages of the API by field: `[field]: problem; [other]: problem`; the whole text without fields. */
export const problemsOf = (message: string): Readonly<Record<string, string>> => {
  const parts = [...message.matchAll(/\[([\w.]+)\]: (.*?)(?=; \[[\w.]+\]: |$)/gs)]
  if (parts.length === 0) return { "": message }
  return Object.fromEntries(parts.map(([, field = "", problem = ""]) => [field, problem]))
}

/**
 * Returns a rejection of the API as messages at the fields of the form; throws every other error.
 *
 * `fields` maps names of the API to those of the form, where they differ; `""` is the place for a message that names
 * no field.
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
