import { ServiceError } from "@slipway/client/deploy"
import type { Problems, Submitted } from "@slipway/web/foundation"

const aboutValues: ReadonlyArray<number> = [400, 409, 413, 422]

/** Returns the error messages of an API response by field; the complete message if the response names no field. */
const problemsIn = (body: unknown, fallback: string): Problems => {
  const { errors, message } = (body ?? {}) as { readonly errors?: unknown; readonly message?: unknown }
  const text = typeof message === "string" ? message : fallback
  if (typeof errors !== "object" || errors === null) return { "": text }
  const fields = Object.entries(errors as Readonly<Record<string, ReadonlyArray<string>>>)
  return fields.length === 0
    ? { "": text }
    : Object.fromEntries(fields.map(([field, problems]) => [field, problems.join(" ")]))
}

/**
 * Converts an error response of the API to messages for the fields of a form; throws every other error.
 *
 * A message for a field that is not in the form is shown above the form.
 */
export const rejectedForm = (error: unknown, fields: ReadonlyArray<string>): Submitted => {
  if (!(error instanceof ServiceError) || !aboutValues.includes(error.status)) throw error
  const problems = Object.entries(problemsIn(error.body, error.message))
  const elsewhere = problems.filter(([field]) => !fields.includes(field))
  const whole = elsewhere.map(([field, problem]) => (field === "" ? problem : `${field}: ${problem}`)).join(" ")
  return {
    problems: {
      ...(whole === "" ? {} : { "": whole }),
      ...Object.fromEntries(problems.filter(([field]) => fields.includes(field)))
    },
    status: error.status
  }
}
