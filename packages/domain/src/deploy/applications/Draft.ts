import { Predicate, Result, Schema } from "effect"
import { joinAllProblems, joinProblems, notAllowed, type Problems, problemsOf, required } from "../../Problems.ts"
import { noEnvironment } from "../placement/placements.ts"
import { dockerfileText } from "./fields/docker.ts"
import { type FieldName, fieldNames, fields, type Sent } from "./fields/table.ts"
import type { Variant } from "./variants.ts"

/** The fields of a request, each with a value that its schema accepts. */
export type Values = { readonly [Name in FieldName]?: Sent<Name> }

/** A request as far as it could be read: what is right with it, and all that is wrong. */
export interface Draft {
  readonly variant: Variant
  readonly values: Values
  readonly problems: Problems
}

const options = { errors: "all", onExcessProperty: "error" } as const
const decoders = Object.fromEntries(
  fieldNames.map((name) => [
    name,
    Schema.decodeUnknownResult(
      (name === "build_pack" ? fields.build_pack.schema : fields[name].schema) as Schema.Codec<unknown, unknown>,
      options
    )
  ])
) as Readonly<Record<FieldName, (input: unknown) => Result.Result<unknown, Schema.SchemaError>>>

const isFieldName = (name: string): name is FieldName => Object.hasOwn(fields, name)

/** Tells whether a variant accepts a field. */
export const accepts = (variant: Variant, name: FieldName): boolean => fields[name].variants.includes(variant)

/** Tells whether a variant needs a field. */
export const requires = (variant: Variant, name: FieldName): boolean => fields[name].requiredBy.includes(variant)

const within = (field: string, problems: Problems): Problems =>
  Object.fromEntries(
    Object.entries(problems).map(([path, sentences]) => [path === "" ? field : `${field}.${path}`, sentences])
  )

const readFields = (variant: Variant, body: object): Draft => {
  const values: Record<string, unknown> = {}
  const problems: Array<Problems> = []
  for (const [name, sent] of Object.entries(body)) {
    if (!isFieldName(name) || !accepts(variant, name)) {
      problems.push(Object.fromEntries([[name, [notAllowed]]]))
      continue
    }
    const decoded = decoders[name](sent)
    if (Result.isSuccess(decoded))
      values[name] = name === "dockerfile" ? dockerfileText(sent as string) : decoded.success
    else problems.push(within(name, problemsOf(decoded.failure.issue, "")))
  }
  if (variant === "dockerfile" && values["build_pack"] !== undefined && values["build_pack"] !== "dockerfile") {
    problems.push({ build_pack: ["Must be dockerfile for an application made from a Dockerfile."] })
  }
  return { variant, values: values as Values, problems: joinAllProblems(problems) }
}

/** Reads the body of an update: every field that creating this variant accepts, each of them optional. */
export const readUpdate = (variant: Variant, body: unknown): Draft =>
  Predicate.isObject(body)
    ? readFields(variant, body)
    : { variant, values: {}, problems: { body: ["Must be a JSON object."] } }

/** Reads the body of a creation: an update's, with what this variant needs. */
export const readCreation = (variant: Variant, body: unknown): Draft => {
  const draft = readUpdate(variant, body)
  if (!Predicate.isObject(body)) return draft
  const missing = fieldNames.filter((name) => requires(variant, name) && !Object.hasOwn(body, name))
  const problems: Array<Problems> = missing.map((name) => ({ [name]: [required] }))
  if (!Object.hasOwn(body, "environment_name") && !Object.hasOwn(body, "environment_uuid")) {
    problems.push(noEnvironment)
  }
  return { ...draft, problems: joinProblems(draft.problems, ...problems) }
}
