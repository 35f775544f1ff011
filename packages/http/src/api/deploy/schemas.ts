import {
  type FieldName,
  fieldNames,
  fields,
  parseDomains,
  type Shown,
  text,
  type Variant
} from "@slipway/domain/deploy"
import { Schema } from "effect"

const instant = Schema.String.annotate({ format: "date-time" })

/** What every stored thing shows. */
export const stamps = {
  id: Schema.Number,
  uuid: Schema.String,
  created_at: instant,
  updated_at: instant
}

/** A name of one line. */
export const Name = text(255).check(
  Schema.makeFilter((value: string) => (value.trim() === "" ? "Must not be empty." : undefined)),
  Schema.makeFilter((value: string) => (/[\r\n\t]/.test(value) ? "Must be one line." : undefined))
)

/** The schema of a free description. */
export const Description = text(10_000)

/** A comma-separated list of addresses. */
export const DomainList = text(20_000).check(Schema.makeFilter((value: string) => parseDomains(value).problems))

/** The answer of a creation. */
export const CreatedUuid = Schema.Struct({ uuid: Schema.String })

/** The answer of what has nothing else to show. */
export const Message = Schema.Struct({ message: Schema.String })

const positive = (most: number) =>
  Schema.FiniteFromString.check(
    Schema.makeFilter((value: number) =>
      Number.isInteger(value) && value >= 1 && value <= most ? undefined : `Must be a whole number from 1 to ${most}.`
    )
  )

/** Asks for one page of a list; without either, the list is complete. */
export const pageQuery = {
  page: Schema.optionalKey(positive(1_000_000_000)),
  per_page: Schema.optionalKey(positive(100))
}

/** A flag in a query: `true`, `false`, `1` or `0`. */
export const QueryFlag = Schema.Literals(["true", "false", "1", "0"])

type Bodies = { readonly [Name in FieldName]: (typeof fields)[Name]["schema"] }

const accepted = (variant: Variant) => fieldNames.filter((name) => fields[name].variants.includes(variant))

/** Describes the body that creates an application of a variant; the domain's own reading of it tells more. */
export const creationBody = (variant: Variant) =>
  Schema.Struct(
    Object.fromEntries(
      accepted(variant).map((name) => [
        name,
        fields[name].requiredBy.includes(variant)
          ? fields[name].schema
          : Schema.optionalKey(fields[name].schema as Schema.Top)
      ])
    )
  ) as unknown as Schema.Codec<{ readonly [Name in FieldName]?: Bodies[Name]["Type"] }>

/** Describes the body that changes an application, of whichever variant. */
export const UpdateBody = Schema.Struct(
  Object.fromEntries(fieldNames.map((name) => [name, Schema.optionalKey(fields[name].schema as Schema.Top)]))
) as unknown as Schema.Codec<{ readonly [Name in FieldName]?: Bodies[Name]["Type"] }>

/** Describes every configuration field as it is shown. */
export const shownFields = Object.fromEntries(
  fieldNames.map((name) => [name, Schema.NullOr(Schema.toType(fields[name].schema as Schema.Top))])
) as unknown as { readonly [Name in FieldName]: Schema.Codec<Shown[Name]> }
