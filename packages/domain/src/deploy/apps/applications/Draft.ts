import { Predicate, Result, Schema } from "effect"
import {
  hasTooManyValues,
  joinAllProblems,
  joinProblems,
  notAllowed,
  type Problems,
  problemsOf,
  required,
  tooManyValuesMessage
} from "../../../Problems.ts"
import { constants, isConstant } from "../fields/constants.ts"
import { fieldNamed } from "../fields/coolifyNames.ts"
import { dockerfileText } from "../fields/docker.ts"
import { type FieldName, fieldNames, fields, type Sent, schemaFor } from "../fields/table.ts"
import { type Variant, variants } from "../fields/variants.ts"
import { noEnvironment } from "../placement/placements.ts"
import { TagNames } from "../tags/Tag.ts"

/** The fields of a request that are valid according to their schemas. */
export type Values = { readonly [Name in FieldName]?: Sent<Name> }

/** A parsed request: its valid fields, and the problems of all invalid ones. */
export interface Draft {
  readonly variant: Variant
  readonly values: Values
  readonly problems: Problems
}

const options = { errors: "all", onExcessProperty: "error" } as const
const decoderFor = (variant: Variant, name: FieldName) => Schema.decodeUnknownResult(schemaFor(variant, name), options)
const decoders = Object.fromEntries(
  variants.map((variant) => [variant, Object.fromEntries(fieldNames.map((name) => [name, decoderFor(variant, name)]))])
) as Readonly<Record<Variant, Readonly<Record<FieldName, ReturnType<typeof decoderFor>>>>>

/** Returns whether applications of a variant have a field. */
export const accepts = (variant: Variant, name: FieldName): boolean => fields[name].variants.includes(variant)

/** Returns whether the creation of an application of a variant requires a field. */
export const requires = (variant: Variant, name: FieldName): boolean => fields[name].requiredBy.includes(variant)

const within = (field: string, problems: Problems): Problems =>
  Object.fromEntries(
    Object.entries(problems).map(([path, sentences]) => [path === "" ? field : `${field}.${path}`, sentences])
  )

const readFields = (variant: Variant, body: object): Draft => {
  const values: Record<string, unknown> = {}
  const problems: Array<Problems> = []
  for (const [written, sent] of Object.entries(body)) {
    if (isConstant(written)) {
      const { otherwise, value } = constants[written]
      if (sent !== value) problems.push({ [written]: [otherwise] })
      continue
    }
    const name = fieldNamed(written)
    if (name === undefined || !accepts(variant, name)) {
      problems.push(Object.fromEntries([[written, [notAllowed]]]))
      continue
    }
    if (written !== name && Object.hasOwn(body, name)) {
      problems.push({ [written]: [`Must not be sent together with ${name}, which is the same field.`] })
      continue
    }
    const decoded = decoders[variant][name](sent)
    if (Result.isFailure(decoded)) problems.push(within(written, problemsOf(decoded.failure.issue, "")))
    else if (sent === "" && requires(variant, name)) problems.push({ [written]: ["Must not be empty."] })
    else values[name] = name === "dockerfile" ? dockerfileText(sent as string) : decoded.success
  }
  return { variant, values: values as Values, problems: joinAllProblems(problems) }
}

const readWhole = (variant: Variant, body: unknown, read: (whole: object) => Draft): Draft => {
  const refused = (problem: string): Draft => ({ variant, values: {}, problems: { body: [problem] } })
  if (!Predicate.isObject(body)) return refused("Must be an object.")
  return hasTooManyValues(body) ? refused(tooManyValuesMessage) : read(body)
}

/** Parses the body of an update request. Every field of the variant is allowed and optional. */
export const readUpdate = (variant: Variant, body: unknown): Draft =>
  readWhole(variant, body, (whole) => readFields(variant, whole))

/** A parsed creation request, with the names of the application's tags. */
export interface CreationDraft extends Draft {
  readonly tags: ReadonlyArray<string>
}

const decodeTags = Schema.decodeUnknownResult(TagNames, options)

const readTags = (whole: object): Pick<CreationDraft, "problems" | "tags"> => {
  if (!("tags" in whole)) return { tags: [], problems: {} }
  const decoded = decodeTags(whole.tags)
  return Result.isSuccess(decoded)
    ? { tags: decoded.success, problems: {} }
    : { tags: [], problems: within("tags", problemsOf(decoded.failure.issue, "")) }
}

/** Parses the body of a creation request: the fields of an update, those that this variant requires, and the tags. */
export const readCreation = (variant: Variant, body: unknown): CreationDraft => {
  let tags: ReadonlyArray<string> = []
  const draft = readWhole(variant, body, (whole) => {
    const named = readTags(whole)
    tags = named.tags
    const { tags: _, ...rest } = whole as { readonly tags?: unknown }
    const draft = readFields(variant, rest)
    const sent = new Set(Object.keys(whole).map(fieldNamed))
    const missing = fieldNames.filter((name) => requires(variant, name) && !sent.has(name))
    const problems: Array<Problems> = missing.map((name) => ({ [name]: [required] }))
    if (!Object.hasOwn(whole, "environment_name") && !Object.hasOwn(whole, "environment_uuid")) {
      problems.push(noEnvironment)
    }
    return { ...draft, problems: joinProblems(draft.problems, named.problems, ...problems) }
  })
  return { ...draft, tags }
}
