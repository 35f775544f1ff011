/** The value types of fields. */
export type FieldType = "text" | "boolean" | "integer" | "time" | "json"

/**
 * The effect on a row when the resource in one of its fields is removed: the row is removed too, or the field becomes
 * null.
 */
export type OnRemove = "removes" | "empties"

/** A field of an owned type, as data: its value type and its comparison. */
export interface FieldData {
  readonly type: FieldType
  readonly nullable: boolean
  /** Whether the rows are found, sorted and compared regardless of case. */
  readonly ignoringCase: boolean
  /** The allowed texts. */
  readonly oneOf: ReadonlyArray<string> | undefined
  /** The resource type of the id that it contains. */
  readonly refersTo: string | undefined
  readonly onRemove: OnRemove
}

/** A field with values of one type. */
export interface Field<A> extends FieldData {
  readonly "~value"?: (value: A) => A
}

const plain: FieldData = {
  type: "text",
  nullable: false,
  ignoringCase: false,
  oneOf: undefined,
  refersTo: undefined,
  onRemove: "removes"
}

/** A text, branded if the row type is. */
export const text = <A extends string>(options: { readonly ignoringCase?: boolean } = {}): Field<A> => ({
  ...plain,
  ...options
})

/** A text from a given list. */
export const oneOf = <A extends string>(...values: ReadonlyArray<A>): Field<A> => ({ ...plain, oneOf: values })

/** A boolean. */
export const boolean = (): Field<boolean> => ({ ...plain, type: "boolean" })

/** A whole number. */
export const integer = <A extends number>(): Field<A> => ({ ...plain, type: "integer" })

/** A point in time, in ISO 8601 with milliseconds, UTC. */
export const time = (): Field<string> => ({ ...plain, type: "time" })

/** A JSON document. */
export const json = <A>(): Field<A> => ({ ...plain, type: "json" })

/** The id of a resource; the row is removed with that resource. */
export const reference = <A extends number>(kind: string): Field<A> => ({
  ...plain,
  type: "integer",
  refersTo: kind
})

/** Returns a field with the id of a resource; it becomes null when that resource is removed. */
export const looseReference = <A extends number>(kind: string): Field<A | null> => ({
  ...plain,
  type: "integer",
  refersTo: kind,
  nullable: true,
  onRemove: "empties"
})

/** A field that may be null. */
export const nullable = <A>(field: Field<A>): Field<A | null> => ({ ...(field as FieldData), nullable: true })
