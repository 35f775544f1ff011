import { Predicate, Schema, SchemaAST, type SchemaIssue } from "effect"

/** The validation errors of an input: one or more sentences for each invalid field. */
export type Problems = Readonly<Record<string, ReadonlyArray<string>>>

/** The error for an input that was rejected without any change; it lists the problems of every invalid field. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  problems: Schema.Record(Schema.String, Schema.Array(Schema.String))
}) {}

/** The error message for an unknown field (decision "Errors"). */
export const notAllowed = "This field is not allowed."
/** The error message for a missing field. */
export const required = "This field is required."

/** Merges problems. A field that occurs in several of them keeps all of its sentences. */
export const joinProblems = (...parts: ReadonlyArray<Problems>): Problems => joinAllProblems(parts)

/** Merges any number of problems. Unlike `joinProblems`, it has no limit, because it takes a single argument. */
export const joinAllProblems = (parts: Iterable<Problems>): Problems => {
  // A map, because a request can contain a field `__proto__`.
  const joined = new Map<string, ReadonlyArray<string>>()
  for (const part of parts) {
    for (const [field, sentences] of Object.entries(part)) {
      joined.set(field, [...new Set([...(joined.get(field) ?? []), ...sentences])])
    }
  }
  return Object.fromEntries(joined)
}

/** Returns whether there are no problems. */
export const noProblems = (problems: Problems): boolean => Object.keys(problems).length === 0

// Every invalid value is reported; without a limit, the rejection of a small body would take seconds (invariant I25).
/** The maximum number of values in an input. */
export const mostValues = 2_000

/** The error message for an input with too many values. */
export const tooManyValuesMessage = `Must hold at most ${mostValues} values.`

/** Returns whether an input contains more than `mostValues` values, at all nesting levels together. */
export const hasTooManyValues = (input: unknown): boolean => {
  const open: Array<unknown> = [input]
  for (let seen = 0; open.length > 0; seen++) {
    if (seen > mostValues) return true
    const value = open.pop()
    if (Predicate.isObjectOrArray(value)) for (const inner of Object.values(value)) open.push(inner)
  }
  return false
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isLiteral(ast)) return [String(ast.literal)]
  if (SchemaAST.isNull(ast)) return ["null"]
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(literalsOf) : []
}

/** Returns the description of the values that a schema accepts. It completes the sentence "Must be …". */
const described = (ast: SchemaAST.AST): string => {
  switch (ast._tag) {
    case "String":
      return "a string"
    case "Number":
      return "a number"
    case "Boolean":
      return "true or false"
    case "Null":
      return "null"
    case "Arrays":
      return "an array"
    case "Objects":
      return "an object"
    case "Literal":
      return String(ast.literal)
    case "Union": {
      const isChoice = ast.types.every((type) => literalsOf(type).length > 0)
      if (!isChoice) return ast.types.map(described).join(" or ")
      const literals = literalsOf(ast)
      return literals.length === 1 ? literals.join() : `one of: ${literals.join(", ")}`
    }
    default:
      return "a valid value"
  }
}

type Located = readonly [path: ReadonlyArray<PropertyKey>, text: string]

/** Returns the custom error message of a check; if there is none, a description of the expected value. */
const messageOf = (annotations: { readonly message?: unknown; readonly expected?: unknown } | undefined) => {
  if (typeof annotations?.message === "string") return annotations.message
  return typeof annotations?.expected === "string" ? `Must be ${annotations.expected}` : undefined
}

/** Returns whether a validation issue only means that the value has another type. */
const isOfAnotherKind = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "InvalidType" || (issue._tag === "AnyOf" && issue.issues.every(isOfAnotherKind))

const locate = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Located> => {
  const here = (text: string): ReadonlyArray<Located> => [[path, sentence(text)]]
  switch (issue._tag) {
    case "Pointer":
      return locate(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((each) => locate(each, path))
    case "AnyOf":
      return isOfAnotherKind(issue)
        ? here(`Must be ${described(issue.ast)}`)
        : issue.issues.filter((each) => !isOfAnotherKind(each)).flatMap((each) => locate(each, path))
    case "Encoding":
      return locate(issue.issue, path)
    case "Filter": {
      const text = messageOf(issue.filter.annotations)
      return text === undefined ? locate(issue.issue, path) : here(text)
    }
    case "MissingKey":
      return here(required)
    case "UnexpectedKey":
      return here(notAllowed)
    case "InvalidType":
    case "OneOf":
      return here(`Must be ${described(issue.ast)}`)
    case "InvalidValue":
    case "Forbidden":
      return here(messageOf(issue.annotations) ?? "Must be a valid value")
  }
}

/** Converts the issues of a schema validation to sentences by field path; `root` is the name for the input itself. */
export const problemsOf = (issue: SchemaIssue.Issue, root = "body"): Problems =>
  joinAllProblems(
    locate(issue, []).map(([path, text]) =>
      Object.fromEntries([[path.length === 0 ? root : path.map(String).join("."), [text]]])
    )
  )
