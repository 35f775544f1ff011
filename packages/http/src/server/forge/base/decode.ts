import { joinAllProblems, joinProblems, noProblems, notAllowed, type Problems, problemsOf } from "@slipway/domain"
import { Effect, Predicate, Result, Schema, SchemaAST } from "effect"
import { isText, notText, textProblems } from "../../wire/jsonText.ts"
import { bodyFields, fieldsOf } from "./bodyFields.ts"

/** The error for a request with invalid input; `problems` lists the problems of each field. */
export class WrongInput extends Schema.TaggedError<WrongInput>()("WrongInput", {
  problems: Schema.Record(Schema.String, Schema.Array(Schema.String))
}) {}

/** Decodes input by a schema; fails with the problems of all fields together. */
type Decoder = (input: unknown) => Effect.Effect<unknown, WrongInput>

const decoderOf = (schema: Schema.Constraint, root: string) => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>, { errors: "all" })
  return (input: unknown): Result.Result<unknown, Problems> =>
    Result.mapError(decode(input), ({ issue }) => problemsOf(issue, root))
}

const withoutNulls = (input: unknown): unknown =>
  Predicate.isObject(input) && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    : input

/** A decoded body, with the names of its ignored fields. */
export interface DecodedBody {
  readonly body: unknown
  readonly ignored: ReadonlyArray<string>
}

/** The options for decoding a body: the path parameters, and whether unknown fields are errors (`strict`). */
export interface BodyReading {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly strict: boolean
}

/** Returns the decoder of a body. Unknown fields are collected in `ignored`; with `strict`, they are errors. */
export const bodyDecoder = (schema: Schema.Constraint) => {
  const decode = decoderOf(schema, "body")
  const read = bodyFields(schema)
  return (input: unknown, { params, strict }: BodyReading): Effect.Effect<DecodedBody, WrongInput> => {
    const { ignored, value } = read(input, params)
    const decoded = decode(value)
    const unknown = strict ? ignored.map((name) => ({ [isText(name) ? name : "body"]: [notAllowed] })) : []
    const wrong = joinProblems(
      textProblems(input),
      joinAllProblems(unknown),
      Result.isFailure(decoded) ? decoded.failure : {}
    )
    return noProblems(wrong) && Result.isSuccess(decoded)
      ? Effect.succeed({ body: withoutNulls(decoded.success), ignored })
      : Effect.fail(new WrongInput({ problems: wrong }))
  }
}

const takesSeveral = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isArrays(ast) || (SchemaAST.isUnion(ast) && ast.types.some(takesSeveral))

/**
 * Returns the decoder of a query.
 *
 * Of a repeated parameter, the decoder uses only the first value, unless the parameter is a list. An empty parameter
 * counts as omitted.
 */
export const queryDecoder = (fields: Schema.Struct.Fields): Decoder => {
  const schema = Schema.Struct(fields)
  const decode = decoderOf(schema, "query")
  const several = new Set(
    (fieldsOf(Schema.toEncoded(schema).ast) ?? [])
      .filter(({ type }) => takesSeveral(type))
      .map(({ name }) => String(name))
  )
  const names = Object.keys(fields)
  const read: Decoder = (input) => {
    const params = input as URLSearchParams
    const said: Record<string, unknown> = {}
    let wrong: Problems = {}
    for (const name of names) {
      const sent = params.getAll(name)
      const values = (several.has(name) ? sent : sent.slice(0, 1)).filter((value) => value !== "")
      if (values.some((value) => !isText(value))) wrong = joinProblems(wrong, { [name]: [notText] })
      if (values.length > 0) said[name] = several.has(name) ? values : values[0]
    }
    const decoded = decode(said)
    if (Result.isFailure(decoded)) wrong = joinProblems(wrong, decoded.failure)
    return noProblems(wrong) && Result.isSuccess(decoded)
      ? Effect.succeed(decoded.success)
      : Effect.fail(new WrongInput({ problems: wrong }))
  }
  const unasked = read(new URLSearchParams())
  return (input) => ((input as URLSearchParams).size === 0 ? unasked : read(input))
}

/** Returns the errors of path parameters, by parameter name. */
export const pathProblems = (params: Readonly<Record<string, string | undefined>>): Problems => {
  const wrong = Object.keys(params).filter((name) => !isText(params[name] ?? ""))
  return Object.fromEntries(wrong.map((name) => [name, [notText]]))
}
