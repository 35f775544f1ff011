import { Schema } from "effect"
import * as Fields from "./fields.ts"

/** The type of a name converted from camelCase to snake_case. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : ""

/**
 * Converts a name from camelCase to snake_case.
 *
 * @example
 * snakeCase("fullName") // => "full_name"
 */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/**
 * The declaration of a setting of a resource. The database column, its default, and the fields of requests and
 * responses are derived from it.
 */
export interface Setting<A, Wire extends string | undefined = string | undefined> {
  readonly field: Fields.Field<A>
  readonly initial: A
  /** The schema of values in requests. */
  readonly accepted: Schema.Codec<A>
  /** The schema of values in responses. */
  readonly shown: Schema.Codec<A>
  /** The field name in requests and responses; undefined if it is the setting's name in snake_case. */
  readonly wire: Wire
}

/** The type of the values of several settings, by the names of the settings. */
export type Values<S> = { readonly [Name in keyof S]: S[Name] extends Setting<infer A> ? A : never }

/** The type of the field name of a setting in requests and responses. */
export type WireName<Name, S> = S extends { readonly wire: infer Wire extends string } ? Wire : SnakeCase<Name & string>

/** Returns the schema of a text with a maximum length in characters; line breaks are allowed, NUL is not. */
export const boundedText = (longest: number) =>
  Schema.String.check(
    Schema.makeFilter((value: string) => {
      if (value.length > longest) return `must have at most ${longest} characters`
      return value.isWellFormed() && !value.includes("\0") ? undefined : "must be text"
    })
  )

/** Declares a text setting with a maximum length in characters, or with a schema; empty by default. */
export const text = (accepted: number | Schema.Codec<string>): Setting<string, undefined> => ({
  field: Fields.text(),
  initial: "",
  accepted: typeof accepted === "number" ? boundedText(accepted) : accepted,
  shown: Schema.String,
  wire: undefined
})

/** Declares a boolean setting; false by default. */
export const boolean = (initial = false): Setting<boolean, undefined> => ({
  field: Fields.boolean(),
  initial,
  accepted: Schema.Boolean,
  shown: Schema.Boolean,
  wire: undefined
})

/** Declares a setting that accepts only the given texts; the first one is the default. */
export const oneOf = <const A extends string>(values: readonly [A, ...ReadonlyArray<A>]): Setting<A, undefined> => {
  const schema = Schema.Literals(values)
  return { field: Fields.oneOf(...values), initial: values[0], accepted: schema, shown: schema, wire: undefined }
}

/** Gives a setting a field name in requests and responses that is not its name in snake_case. */
export const named = <const Wire extends string, A>(wire: Wire, setting: Setting<A>): Setting<A, Wire> => ({
  ...setting,
  wire
})

/** Settings of any types, by name. */
// biome-ignore lint/suspicious/noExplicitAny: BOUNDARY: a setting is used by the type of its values, which differ.
export type Rows = Readonly<Record<string, Setting<any>>>

/** Returns the default values of all given settings, by name. */
export const defaults = <S extends Rows>(settings: S): Values<S> =>
  // BOUNDARY: every setting has its default.
  Object.fromEntries(Object.entries(settings).map(([name, { initial }]) => [name, initial])) as Values<S>

/** Returns only the settings from a row that also has other fields. */
export const pick = <S extends Rows>(settings: S, row: Values<S>): Values<S> =>
  // BOUNDARY: the row has every setting.
  Object.fromEntries(Object.keys(settings).map((name) => [name, row[name as keyof S]])) as Values<S>

/** Returns the field name of a setting in requests and responses. */
export const wireName = (name: string, { wire }: { readonly wire: string | undefined }): string =>
  wire ?? snakeCase(name)
