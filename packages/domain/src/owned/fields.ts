/** The types of values that a field of an owned type can have. */
export type FieldType = "text" | "boolean" | "integer" | "time" | "json"

/**
 * What happens to a row when the resource in one of its fields is removed: `removes` the row too, or `empties` the
 * field (sets it to null).
 */
export type OnRemove = "removes" | "empties"

/** The untyped declaration of a field: its value type, and how its values are compared. */
export interface FieldData {
  readonly type: FieldType
  readonly nullable: boolean
  /** Whether values are found, sorted and compared ignoring case. */
  readonly ignoringCase: boolean
  /** The texts that the field accepts; undefined if it accepts any value of its type. */
  readonly oneOf: ReadonlyArray<string> | undefined
  /** The resource type that the field refers to by id, like a foreign key; undefined for other fields. */
  readonly refersTo: string | undefined
  readonly onRemove: OnRemove
}

/** The declaration of a field, with the TypeScript type of its values. */
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

/** Declares a text field. With `ignoringCase`, values are compared ignoring case. */
export const text = <A extends string>(options: { readonly ignoringCase?: boolean } = {}): Field<A> => ({
  ...plain,
  ...options
})

/** Declares a text field that accepts only the given values. */
export const oneOf = <A extends string>(...values: ReadonlyArray<A>): Field<A> => ({ ...plain, oneOf: values })

/** Declares a boolean field. */
export const boolean = (): Field<boolean> => ({ ...plain, type: "boolean" })

/** Declares an integer field. */
export const integer = <A extends number>(): Field<A> => ({ ...plain, type: "integer" })

/** Declares a field for a point in time, in ISO 8601 with milliseconds, UTC. */
export const time = (): Field<string> => ({ ...plain, type: "time" })

/** Declares a field for a JSON document. */
export const json = <A>(): Field<A> => ({ ...plain, type: "json" })

/** Declares a field with the id of a resource, like a foreign key. The row is removed with that resource. */
export const reference = <A extends number>(kind: string): Field<A> => ({
  ...plain,
  type: "integer",
  refersTo: kind
})

/**
 * Declares a field with the id of a resource, like a foreign key. The field becomes null when that resource is removed.
 */
export const looseReference = <A extends number>(kind: string): Field<A | null> => ({
  ...plain,
  type: "integer",
  refersTo: kind,
  nullable: true,
  onRemove: "empties"
})

/** Makes a field nullable. */
export const nullable = <A>(field: Field<A>): Field<A | null> => ({ ...(field as FieldData), nullable: true })
