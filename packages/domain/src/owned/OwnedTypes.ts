/** The fields of every row of an owned type: an id in insertion order. */
export interface OwnedRow {
  readonly id: number
}

/** The types that a declaration consists of. */
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
