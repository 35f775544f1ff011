import { Option, Schema } from "effect"

/** The maximum number of rows that a list counts. For a longer list, only the existence of more rows is known. */
export const countedUpTo = 1_000

/** The number of rows that are reachable by page number. Further rows need a cursor. */
export const numberedUpTo = 10_000

/** A part of a list in creation order: at most `limit` rows with an id above `after`, without the first `skip`. */
export interface Window {
  readonly after?: number | undefined
  readonly skip?: number | undefined
  readonly limit: number
}

/** A request for one page of a list: by its number, counted from 1, or for the rows after the cursor `after`. */
export interface PageRequest {
  readonly page: number
  readonly perPage: number
  readonly after?: string | undefined
}

/** One page of a list, with what is known about the other pages. */
export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The total number of rows; undefined if it is unknown, for example for lists with more than `countedUpTo` rows. */
  readonly total: number | undefined
  /** The cursor of the next page; absent on the last page. */
  readonly next?: string | undefined
}

/** One page of a list, with the total number of rows. */
export interface CountedPage<Row> extends Page<Row> {
  readonly total: number
}

/**
 * Converts a page request by number to the number of rows to skip and the maximum number of rows.
 *
 * @example
 * windowOf({ page: 3, perPage: 20 }) // => { skip: 40, limit: 20 }
 */
export const windowOf = (request: PageRequest): Window => ({
  skip: (request.page - 1) * request.perPage,
  limit: request.perPage
})

/**
 * The rows to read for a page: the store reads the first `most` rows after the cursor `after`, and returns up to
 * `limit` of them, without the first `skip`.
 */
export interface PageWindow {
  readonly after: string | undefined
  readonly skip: number
  readonly limit: number
  readonly most: number
}

/**
 * Returns which rows to read for a page: those of the page, and those that are needed to count the list. For a page
 * number beyond `numberedUpTo`, the page is empty.
 *
 * @example
 * pageWindow({ page: 3, perPage: 20 }) // => { after: undefined, skip: 40, limit: 20, most: 1001 }
 * @example
 * pageWindow({ page: 1001, perPage: 20 }) // => { after: undefined, skip: 20000, limit: 0, most: 1001 }
 */
export const pageWindow = (request: PageRequest): PageWindow => {
  const { after, perPage } = request
  if (after !== undefined) return { after, skip: 0, limit: perPage, most: perPage + 1 }
  const skip = (request.page - 1) * perPage
  return isTooDeep(request)
    ? { after, skip, limit: 0, most: countedUpTo + 1 }
    : { after, skip, limit: perPage, most: Math.max(countedUpTo, skip + perPage) + 1 }
}

/** Returns whether a page number is beyond `numberedUpTo` rows; a request with a cursor never is. */
export const isTooDeep = ({ after, page, perPage }: PageRequest): boolean =>
  after === undefined && (page - 1) * perPage >= numberedUpTo

/** Builds a page from its rows and the number of rows that were read. */
export const pageOfRows = <Row>(
  { after, limit, skip }: PageWindow,
  found: number,
  rows: ReadonlyArray<Row>,
  placeOf: (row: Row, at: number) => SortKey
): Page<Row> => {
  const last = rows.at(-1)
  const next = last !== undefined && found > skip + limit ? placeOf(last, rows.length - 1) : undefined
  return {
    rows,
    total: after === undefined && found <= countedUpTo ? found : undefined,
    ...(next === undefined ? {} : { next: JSON.stringify(next) })
  }
}

/** The values by which a row is sorted in a list. */
export type SortKey = ReadonlyArray<string | number>

const readPlace = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Array(Schema.Union([Schema.String, Schema.Int])))
)

/**
 * Parses a pagination cursor into the sort key of the last row. Returns undefined if its values do not have the types
 * of the sort order.
 *
 * @example
 * placeOfCursor('["ada",7]', ["text", "number"]) // => ["ada", 7]
 */
export const placeOfCursor = (cursor: string, types: ReadonlyArray<"text" | "number">): SortKey | undefined => {
  const place = Option.getOrUndefined(readPlace(cursor))
  return place?.length === types.length &&
    place.every((value, at) =>
      types[at] === "number"
        ? Number.isSafeInteger(value)
        : typeof value === "string" && value.isWellFormed() && !value.includes("\0")
    )
    ? place
    : undefined
}
