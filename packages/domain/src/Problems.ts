import { Schema, SchemaIssue } from "effect"

/** What is wrong with an input: for each field, one or more sentences. */
export type Problems = Readonly<Record<string, ReadonlyArray<string>>>

/** Reports that an input was refused; nothing was changed, and every field at fault is named. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  problems: Schema.Record(Schema.String, Schema.Array(Schema.String))
}) {}

/** What every boundary says of a field that it doesn't know (decision "Errors"). */
export const notAllowed = "This field is not allowed."
/** What every boundary says of a field that it needs. */
export const required = "This field is required."

/** Joins problems; a field that several name keeps all of their sentences. */
export const joinProblems = (...parts: ReadonlyArray<Problems>): Problems => joinAllProblems(parts)

/** Joins any number of problems, more than a call takes arguments. */
export const joinAllProblems = (parts: Iterable<Problems>): Problems => {
  // A map, since a request may well name a field `__proto__`.
  const joined = new Map<string, ReadonlyArray<string>>()
  for (const part of parts) {
    for (const [field, sentences] of Object.entries(part)) {
      joined.set(field, [...new Set([...(joined.get(field) ?? []), ...sentences])])
    }
  }
  return Object.fromEntries(joined)
}

/** Tells whether there is nothing wrong. */
export const noProblems = (problems: Problems): boolean => Object.keys(problems).length === 0

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return required
      case "UnexpectedKey":
        return notAllowed
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** Returns what a schema found wrong, by the path of each field (`root` names the input itself). */
export const problemsOf = (issue: SchemaIssue.Issue, root = "body"): Problems =>
  joinAllProblems(
    format(issue).issues.map((each) => {
      const path = (each.path ?? []).map(String).join(".")
      return Object.fromEntries([[path === "" ? root : path, [sentence(each.message)]]])
    })
  )
