import { joinAllProblems, joinProblems, noProblems, notAllowed, type Problems, problemsOf } from "@slipway/domain"
import { Effect, Predicate, Result, Schema, SchemaAST } from "effect"
import { offElsewhere, sameFieldsElsewhere } from "../../../api/forge/base/knownFields.ts"
import { isText, notText, textProblems } from "../../wire/jsonText.ts"

/** Reports what is wrong with a request. */
export class WrongInput extends Schema.TaggedError<WrongInput>()("WrongInput", {
  problems: Schema.Record(Schema.String, Schema.Array(Schema.String))
}) {}

/** Reads an input as its schema says; all that is wrong with it is told at once. */
export type Decoder = (input: unknown) => Effect.Effect<unknown, WrongInput>

const decodes = (schema: Schema.Constraint, input: unknown): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(schema as Schema.Codec<unknown>)(input))

const fieldsOf = ({ ast }: Schema.Constraint) =>
  SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0 ? ast.propertySignatures : undefined

/** The optional fields for which an empty text has no meaning: clients send it in place of leaving them out. */
const emptyMeansAbsent = (schema: Schema.Constraint): ReadonlySet<string> =>
  new Set(
    (fieldsOf(schema) ?? [])
      .filter(({ type }) => SchemaAST.isOptional(type) && !decodes(Schema.make(type), ""))
      .map(({ name }) => String(name))
  )

const identifierOf = ({ ast }: Schema.Constraint): string => SchemaAST.resolveIdentifier(ast) ?? ""

const entriesOf = (input: unknown): ReadonlyArray<[string, unknown]> =>
  Predicate.isObject(input) && !Array.isArray(input) ? Object.entries(input) : []

const decoderOf = (schema: Schema.Constraint, root: string) => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>, { errors: "all" })
  return (input: unknown): Result.Result<unknown, Problems> =>
    Result.mapError(decode(input), ({ issue }) => problemsOf(issue, root))
}

const withoutNulls = (input: unknown): unknown =>
  Predicate.isObject(input) && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    : input

/**
 * Returns the reader of a body.
 *
 * What says nothing is left out: `null`, and an empty text where a field is optional and can't be empty. A field that other
 * services know for the same body passes unseen, some only with what is so here anyway, and so does one of the answer, which
 * programs send back as they read it; any other is refused by its name, since it is most likely a slip.
 */
export const bodyDecoder = (schema: Schema.Constraint, answer?: Schema.Constraint): Decoder => {
  const decode = decoderOf(schema, "body")
  const absent = emptyMeansAbsent(schema)
  const own = fieldsOf(schema)
  const identifier = identifierOf(schema)
  const elsewhere = sameFieldsElsewhere[identifier] ?? []
  const off = offElsewhere[identifier] ?? {}
  // What says nothing, and what asks for what is so here anyway.
  const saysMore = (name: string, value: unknown) =>
    value !== null && !(Object.hasOwn(off, name) && off[name] === value)
  const readBack = (answer && fieldsOf(answer)) ?? []
  const known = own && new Set([...[...own, ...readBack].map(({ name }) => String(name)), ...elsewhere])
  return (input) => {
    const entries = entriesOf(input)
    const unknown =
      known === undefined ? [] : entries.filter(([name, value]) => !known.has(name) && saysMore(name, value))
    const texts = textProblems(input)
    const said =
      entries.length === 0 ? input : Object.fromEntries(entries.filter(([k, v]) => v !== "" || !absent.has(k)))
    const decoded = decode(said)
    const wrong = joinProblems(
      texts,
      joinAllProblems(unknown.map(([name]) => ({ [isText(name) ? name : "body"]: [notAllowed] }))),
      Result.isFailure(decoded) ? decoded.failure : {}
    )
    return noProblems(wrong) && Result.isSuccess(decoded)
      ? Effect.succeed(withoutNulls(decoded.success))
      : Effect.fail(new WrongInput({ problems: wrong }))
  }
}

const takesSeveral = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isArrays(ast) || (SchemaAST.isUnion(ast) && ast.types.some(takesSeveral))

/** Returns the reader of a query: of a parameter that is sent twice, the first counts, unless it takes several. */
export const queryDecoder = (fields: Schema.Struct.Fields): Decoder => {
  const schema = Schema.Struct(fields)
  const decode = decoderOf(schema, "query")
  const absent = emptyMeansAbsent(schema)
  const several = new Set(
    (fieldsOf(Schema.toEncoded(schema)) ?? []).filter(({ type }) => takesSeveral(type)).map(({ name }) => String(name))
  )
  const names = Object.keys(fields)
  const read: Decoder = (input) => {
    const params = input as URLSearchParams
    const said: Record<string, unknown> = {}
    let wrong: Problems = {}
    for (const name of names) {
      const values = params.getAll(name)
      if (values.some((value) => !isText(value))) wrong = joinProblems(wrong, { [name]: [notText] })
      if (several.has(name) && values.length > 0) said[name] = values
      else if (values[0] !== undefined && (values[0] !== "" || !absent.has(name))) said[name] = values[0]
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

/** Says what is wrong with the parameters of a path. */
export const pathProblems = (params: Readonly<Record<string, string | undefined>>): Problems => {
  const wrong = Object.keys(params).filter((name) => !isText(params[name] ?? ""))
  return Object.fromEntries(wrong.map((name) => [name, [notText]]))
}
