import type { Schema } from "effect"
import { type Variant, variants } from "./variants.ts"

export { line, lineThat, nonEmpty, text, whole } from "../../base/fields/text.ts"

/** The definition of a configuration field: its valid values, the application variants with it, and its default. */
export interface Field<S extends Schema.Codec<unknown, unknown>, Default extends S["Type"] | null> {
  /** The schema of the values in requests. It has no transformations, so that responses return the same values. */
  readonly schema: S
  readonly unset: Default
  /** The application variants that have the field. */
  readonly variants: ReadonlyArray<Variant>
  /** The application variants that require the field at their creation. */
  readonly requiredBy: ReadonlyArray<Variant>
  /** Whether the field is stored encrypted, and returned only to callers that may read secrets. */
  readonly secret: boolean
}

interface Options {
  readonly variants?: ReadonlyArray<Variant>
  readonly requiredBy?: ReadonlyArray<Variant>
  readonly secret?: boolean
}

/** Defines a configuration field. */
export const field = <S extends Schema.Codec<unknown, unknown>, const Default extends S["Type"] | null>(
  schema: S,
  unset: Default,
  options: Options = {}
): Field<S, Default> => ({
  schema,
  unset,
  variants: options.variants ?? variants,
  requiredBy: options.requiredBy ?? [],
  secret: options.secret ?? false
})
