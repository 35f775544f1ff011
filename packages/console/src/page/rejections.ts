import { ServiceError } from "@slipway/client/deploy"
import type { Problems, Submitted } from "@slipway/web/foundation"

const aboutValues: ReadonlyArray<number> = [400, 409, 413, 422, 502]

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

/** The fields of a form that show the messages about other fields of the request, by the names of those. */
export type ShownAt = Readonly<Record<string, string>>

/** Returns the messages at the fields that show them, such as those about `urls.0.name` at the field of `urls`. */
const placed = (problems: Problems, shownAt: ShownAt): ReadonlyArray<readonly [field: string, problem: string]> => {
  const all = new Map<string, string>()
  for (const [name, problem] of Object.entries(problems)) {
    const field = shownAt[name.split(".", 1)[0] ?? ""] ?? name
    const before = all.get(field)
    all.set(field, before === undefined ? problem : `${before} ${problem}`)
  }
  return [...all]
}

/**
 * Converts an error response of the API to messages for the fields of a form; throws every other error.
 *
 * A message for a field that is not in the form is shown above the form.
 */
export const rejectedForm = (error: unknown, fields: ReadonlyArray<string>, shownAt: ShownAt = {}): Submitted => {
  if (!(error instanceof ServiceError) || !aboutValues.includes(error.status)) throw error
  const problems = placed(problemsIn(error.body, error.message), shownAt)
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
