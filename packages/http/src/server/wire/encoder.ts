import { Schema, type SchemaAST } from "effect"
import { encodedBy } from "../../api/encodedBy.ts"

type Encode = (value: unknown) => unknown

const ownEncoder = ({ annotations }: SchemaAST.AST) => annotations?.[encodedBy] as Encode | undefined

/** Returns whether encoding can add or remove an optional field. */
const mayBeAbsent = ({ type }: SchemaAST.PropertySignature): boolean =>
  type.context?.isOptional === true && type.encoding !== undefined && ownEncoder(type) === undefined

const isNothing = (ast: SchemaAST.AST): boolean => ast._tag === "Null" || ast._tag === "Undefined"

/** The schema types that need no encoding of their values. */
const plain: ReadonlySet<SchemaAST.AST["_tag"]> = new Set([
  "Any",
  "Boolean",
  "Enum",
  "Literal",
  "Null",
  "Number",
  "String",
  "TemplateLiteral",
  "Undefined",
  "Unknown"
])

/** Returns the JavaScript code of a field that can have only one value; undefined for other fields. */
const constantOf = ({ type }: SchemaAST.PropertySignature): string | undefined => {
  if (type.context?.isOptional === true || type.encoding !== undefined) return undefined
  if (type._tag === "Null") return "null"
  return type._tag === "Literal" && typeof type.literal !== "bigint" ? JSON.stringify(type.literal) : undefined
}

/**
 * The maximum number of fields in a generated object literal.
 *
 * V8 makes a hash table of a literal with 128 or more fields: creating it takes six times as long, and writing its JSON
 * four times.
 */
const mostLiteralFields = 100

/** Generates the code of one encoder: a function for each type of value that needs encoding. */
class EncoderProgram {
  readonly #lines: Array<string> = []
  readonly #encoders: Array<Encode> = []
  readonly #names = new Map<SchemaAST.AST, string | undefined>()

  /** Returns the name of the function that encodes values of a schema; `undefined` if they need no encoding. */
  nameOf(ast: SchemaAST.AST): string | undefined {
    if (!this.#names.has(ast)) this.#names.set(ast, this.#encoding(ast))
    return this.#names.get(ast)
  }

  /** Compiles the function of a name. */
  make(name: string): Encode {
    return new Function("encoders", `${this.#lines.join("\n")}\nreturn ${name}`)(this.#encoders) as Encode
  }

  #encoding(ast: SchemaAST.AST): string | undefined {
    const own = ownEncoder(ast)
    if (own !== undefined) return this.#give(own)
    if (ast.encoding !== undefined) return this.#asSchemaSays(ast)
    if (plain.has(ast._tag)) return undefined
    switch (ast._tag) {
      case "Objects":
        return this.#object(ast)
      case "Arrays":
        return this.#array(ast)
      case "Union":
        return this.#union(ast)
      default:
        return this.#asSchemaSays(ast)
    }
  }

  #object(ast: SchemaAST.Objects): string | undefined {
    const { indexSignatures, propertySignatures } = ast
    const [index] = indexSignatures
    if (index !== undefined) {
      const isRecord =
        propertySignatures.length === 0 &&
        indexSignatures.length === 1 &&
        index.parameter._tag === "String" &&
        index.parameter.checks === undefined &&
        index.parameter.encoding === undefined
      if (!isRecord) return this.#asSchemaSays(ast)
      const each = this.nameOf(index.type)
      if (each === undefined) return undefined
      return this.#define(
        `(value) => Object.fromEntries(Object.entries(value).map(([key, each]) => [key, ${each}(each)]))`
      )
    }
    const isOdd = propertySignatures.some((each) => typeof each.name !== "string" || each.name === "__proto__")
    if (propertySignatures.length === 0 || isOdd || propertySignatures.some(mayBeAbsent)) return this.#asSchemaSays(ast)
    const fields = propertySignatures.map((field) => {
      const { name, type } = field
      const [key, encode, constant] = [JSON.stringify(name), this.nameOf(type), constantOf(field)]
      const member = `value[${key}]`
      const plainly = encode === undefined ? member : `${encode}(${member})`
      const isLeftOut = encode !== undefined && type.context?.isOptional === true
      return { key, code: constant ?? (isLeftOut ? `${member} === undefined ? undefined : ${plainly}` : plainly) }
    })
    const literal = fields.slice(0, mostLiteralFields).map(({ code, key }) => `${key}: ${code}`)
    const more = fields.slice(mostLiteralFields).map(({ code, key }) => `result[${key}] = ${code}`)
    return more.length === 0
      ? this.#define(`(value) => ({ ${literal.join(", ")} })`)
      : this.#define(`(value) => { const result = { ${literal.join(", ")} }; ${more.join("; ")}; return result }`)
  }

  #array(ast: SchemaAST.Arrays): string | undefined {
    const [row] = ast.rest
    if (row === undefined || ast.rest.length > 1 || ast.elements.length > 0) return this.#asSchemaSays(ast)
    const each = this.nameOf(row)
    return each && this.#define(`(value) => value.map((each) => ${each}(each))`)
  }

  #union(ast: SchemaAST.Union): string | undefined {
    const encoded = ast.types.filter((type) => this.nameOf(type) !== undefined)
    const [only] = encoded
    if (only === undefined) return undefined
    if (encoded.length > 1 || !ast.types.every((type) => type === only || isNothing(type)))
      return this.#asSchemaSays(ast)
    return this.#define(`(value) => value === null || value === undefined ? value : ${this.nameOf(only)}(value)`)
  }

  #asSchemaSays(ast: SchemaAST.AST): string {
    return this.#give(Schema.encodeUnknownSync(Schema.make<Schema.Codec<unknown>>(ast)))
  }

  #give(encode: Encode): string {
    return this.#define(`encoders[${this.#encoders.push(encode) - 1}]`)
  }

  #define(code: string): string {
    const name = `encode${this.#lines.length}`
    this.#lines.push(`const ${name} = ${code}`)
    return name
  }
}

/**
 * Returns a function that encodes a value for JSON: the schema's fields, in the schema's order and format.
 *
 * Values come from the domain and are not validated; a field with only one possible value may be missing. The function
 * is generated code that depends only on the schema, and is much faster than walking the schema for each row.
 */
export const encoderOf = (schema: Schema.Constraint | undefined): Encode => {
  if (schema === undefined) return (value) => value
  const program = new EncoderProgram()
  const name = program.nameOf(schema.ast)
  return name === undefined ? (value) => value : program.make(name)
}
