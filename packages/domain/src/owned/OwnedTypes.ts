/** The fields that every row of an owned type has: an id, which increases in the order of insertion. */
export interface OwnedRow {
  readonly id: number
}

/** The type parameters of the declaration of an owned type, as one object type. */
export interface OwnedTypes {
  readonly name: string
  readonly row: OwnedRow
  readonly hidden: object
  readonly within: string
  readonly order: string
  readonly filter: string
  readonly unique: object
  readonly numbered: string
  readonly counters: object
}
