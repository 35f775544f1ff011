import { Setting } from "@slipway/domain"
import { Schema } from "effect"

type Wire<S extends Setting.Rows, Schemas extends { readonly [Name in keyof S]: unknown }> = {
  readonly [Name in keyof S as Setting.WireName<Name, S[Name]>]: Schemas[Name]
}

const fields = <S extends Setting.Rows>(settings: S, make: (setting: Setting.Setting<unknown>) => unknown) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [Setting.wireName(name, setting), make(setting)])
  )

/** Returns the fields of a request body that changes settings; each field is optional. */
export const bodyFields = <S extends Setting.Rows>(settings: S) =>
  // BOUNDARY: the names and the schemas are those of the rows.
  fields(settings, ({ accepted }) => Schema.optionalKey(Schema.NullOr(accepted))) as Wire<
    S,
    { readonly [Name in keyof S]: Schema.optionalKey<Schema.NullOr<Schema.Codec<Setting.Values<S>[Name]>>> }
  >

/** Returns the fields of a response that contains settings. */
export const responseFields = <S extends Setting.Rows>(settings: S) =>
  // BOUNDARY: the names and the schemas are those of the rows.
  fields(settings, ({ shown }) => shown) as Wire<
    S,
    { readonly [Name in keyof S]: Schema.Codec<Setting.Values<S>[Name]> }
  >
