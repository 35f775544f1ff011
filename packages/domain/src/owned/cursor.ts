import { Option, Schema } from "effect"
import { nameKey } from "../Collection.ts"
import type { OwnedData } from "./Owned.ts"

/** A value by which rows are sorted. */
export type Comparable = string | number | boolean | null

const SortKeyText = Schema.fromJsonString(
  Schema.Array(Schema.Union([Schema.String, Schema.Number, Schema.Boolean, Schema.Null]))
)
const readPlace = Schema.decodeUnknownOption(SortKeyText)

/**
 * Returns the value of a field in the form in which rows are sorted and cursors are written; text of a case-insensitive
 * field is normalized.
 */
export const comparable = (kind: OwnedData, field: string, value: unknown): Comparable =>
  kind.fields[field]?.ignoringCase === true && typeof value === "string" ? nameKey(value) : (value as Comparable)

/** Returns the sort key of a row: the values of the fields of the order, and the id. */
export const placeOf = (kind: OwnedData, order: string, row: Readonly<Record<string, unknown>>): Array<Comparable> => [
  ...(kind.orders[order]?.by ?? []).map((field) => comparable(kind, field, row[field])),
  row["id"] as number
]

/** Returns the pagination cursor that points behind a row: its sort key as JSON. */
export const cursorOf = (kind: OwnedData, order: string, row: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(placeOf(kind, order, row))

const isOf = (type: string | undefined, value: Comparable): boolean =>
  type === "integer"
    ? Number.isSafeInteger(value)
    : type === "boolean"
      ? typeof value === "boolean"
      : typeof value === "string" && value.isWellFormed() && !value.includes("\0")

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Parses the sort key in a pagination cursor; undefined if the text is not a valid cursor for the order. */
export const readCursor = (kind: OwnedData, order: string, cursor: string): ReadonlyArray<Comparable> | undefined => {
  const place = Option.getOrUndefined(readPlace(cursor))
  const by = kind.orders[order]?.by ?? []
  if (place === undefined || place.length !== by.length + 1) return undefined
  const fits = place.every((value, at) => {
    const field = by[at] === undefined || by[at] === "id" ? undefined : kind.fields[by[at]]
    if (field === undefined) return isOf("integer", value)
    if (value === null) return field.nullable
    return (
      isOf(field.type, value) && (field.type !== "time" || (moment.test(value as string) && isDay(value as string)))
    )
  })
  return fits ? place : undefined
}

// A thirteenth month has the format of a time but is invalid.
const isDay = (text: string): boolean => Option.isSome(readTime(text))
const readTime = Schema.decodeUnknownOption(Schema.DateTimeUtcFromString)
