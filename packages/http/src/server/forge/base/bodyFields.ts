import { Predicate, Result, Schema, SchemaAST } from "effect"
import { zeroTime } from "./zeroTime.ts"

/** The result of reading a body: the known fields without zero values, and the paths of the ignored fields. */
export interface BodyFields {
  readonly value: unknown
  /** Paths such as `files.mode`; fields with a zero value or with the value of a path parameter are not listed. */
  readonly ignored: ReadonlyArray<string>
}

interface Reading {
  /** Values of path parameters, in lower case. */
  readonly inPath: ReadonlySet<string>
  readonly ignored: Set<string>
}

type Read = (value: unknown, place: string, reading: Reading) => unknown

const decodes = (ast: SchemaAST.AST, input: unknown): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(Schema.make(ast) as Schema.Codec<unknown>)(input))

/** Returns the fields of an object schema; undefined for other schemas and for records with arbitrary keys. */
export const fieldsOf = (ast: SchemaAST.AST) =>
  SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0 ? ast.propertySignatures : undefined

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !Array.isArray(value)

/**
 * Normalizes a field name, so that old and new spellings are equal.
 *
 * Gitea 1.26 renamed fields such as `MergeTitleField` to `merge_title_field`.
 */
const spelling = (name: string): string => name.replaceAll("_", "").toLowerCase()

const asksForNothing = (value: unknown): boolean => {
  if (isRecord(value)) return Object.values(value).every(asksForNothing)
  if (Array.isArray(value)) return value.every(asksForNothing)
  return value === null || value === "" || value === 0 || value === false || value === zeroTime
}

const someTime = "2030-01-31T12:00:00Z"

/**
 * Returns a function that tests whether a value is a zero value that is invalid for the field and counts as omitted.
 */
const zeroOf = (ast: SchemaAST.AST): ((value: unknown) => boolean) => {
  const zeros: Array<unknown> = [null]
  if (!decodes(ast, "")) zeros.push("")
  if (!decodes(ast, 0) && decodes(ast, 1)) zeros.push(0)
  if (decodes(ast, someTime) && !decodes(ast, "no time")) zeros.push(zeroTime)
  const hasRequired = !decodes(ast, {})
  return (value) => zeros.includes(value) || (hasRequired && isRecord(value) && asksForNothing(value))
}

const isEmptyText = (value: unknown): boolean => value === ""

const reader = (ast: SchemaAST.AST): Read | undefined => {
  if (SchemaAST.isUnion(ast)) {
    const [only, ...others] = ast.types.filter((type) => !SchemaAST.isNull(type))
    return only === undefined || others.length > 0 ? undefined : reader(only)
  }
  if (SchemaAST.isArrays(ast)) return ast.rest[0] && listReader(ast.rest[0])
  const fields = fieldsOf(ast)
  return fields && structReader(fields)
}

const listReader = (element: SchemaAST.AST): Read => {
  const read = reader(element)
  return (value, place, reading) => {
    if (!Array.isArray(value)) return value
    const texts = value.some(isEmptyText) ? value.filter((each) => !isEmptyText(each)) : value
    return read === undefined ? texts : texts.map((each) => read(each, place, reading))
  }
}

const structReader = (signatures: ReadonlyArray<SchemaAST.PropertySignature>): Read => {
  const fields = new Map(
    signatures.map(({ name, type }) => {
      const isZero = SchemaAST.isOptional(type) ? zeroOf(type) : () => false
      return [String(name), { read: reader(type), isOptional: SchemaAST.isOptional(type), isZero }]
    })
  )
  const bySpelling = new Map([...fields.keys()].map((name) => [spelling(name), name]))
  return (value, place, reading) => {
    if (!isRecord(value)) return value
    const known: Record<string, unknown> = {}
    for (const [sent, each] of Object.entries(value)) {
      const other = fields.has(sent) ? sent : bySpelling.get(spelling(sent))
      // Of two spellings in one body, the schema's own counts.
      const name = other !== undefined && (other === sent || !Object.hasOwn(value, other)) ? other : undefined
      const field = name === undefined ? undefined : fields.get(name)
      if (name === undefined || field === undefined) {
        if (!asksForNothing(each) && !reading.inPath.has(String(each).toLowerCase())) reading.ignored.add(place + sent)
        continue
      }
      const read = field.read === undefined ? each : field.read(each, `${place}${sent}.`, reading)
      const isEmptied = field.isOptional && Array.isArray(each) && each.length > 0 && each.every(isEmptyText)
      if (!isEmptied && !field.isZero(read)) known[name] = read
    }
    return known
  }
}

/**
 * Returns a reader of a body's fields.
 *
 * The reader accepts old and new spellings, drops zero values of optional fields, and collects unknown field names.
 *
 * Clients written in Go send zero values instead of omitting fields, and clients of a newer Gitea send unknown fields.
 */
export const bodyFields = (schema: Schema.Constraint) => {
  const read = reader(schema.ast)
  return (input: unknown, params: Readonly<Record<string, string | undefined>>): BodyFields => {
    const inPath = new Set(Object.values(params).map((value = "") => value.toLowerCase()))
    const ignored = new Set<string>()
    return { value: read === undefined ? input : read(input, "", { inPath, ignored }), ignored: [...ignored] }
  }
}

const mostNames = 20

/** Returns the text of the header `X-SVC-Warning` that names ignored fields; names are percent-encoded and bounded. */
export const ignoredWarning = (names: ReadonlyArray<string>): string => {
  const shown = names.slice(0, mostNames).map((name) => encodeURIComponent(name.slice(0, 64).toWellFormed()))
  const rest = names.length - shown.length
  return `ignored fields: ${shown.join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`
}

/** Returns whether the header `Prefer` contains `handling=strict` (RFC 7240), which rejects unknown fields. */
export const prefersStrict = (prefer: string | undefined): boolean =>
  prefer !== undefined && /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(prefer)
