import { DateTime, Option } from "effect"

/** The position of a line among all log lines of an application's containers. */
export interface LinePosition {
  /** When it was written, as {@link momentOf} gives it. */
  readonly at: string
  /** The number of earlier lines of its container with the same timestamp, as far as they were read. */
  readonly ordinal: number
  readonly container: string
  /** A hash that identifies the lines of a timestamp if its beginning was not read. */
  readonly print?: string
}

/** The position of a reader: a line of each named container, and the floor for all others. */
export interface LineCursor {
  readonly floor: LinePosition
  readonly reached: ReadonlyMap<string, LinePosition>
}

/** The position before all lines. */
export const startPosition: LinePosition = { at: "0000-01-01T00:00:00.000000000Z", ordinal: 0, container: "" }

const moment = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/**
 * Normalizes a time in ISO 8601 to UTC with nanoseconds, so that it sorts as text; undefined when it is invalid.
 *
 * ```ts
 * import { momentOf } from "@slipway/domain/deploy"
 *
 * momentOf("2026-03-01T01:30:00.5+02:00") // => "2026-02-28T23:30:00.500000000Z"
 * momentOf("yesterday") // => undefined
 * ```
 */
export const momentOf = (text: string): string | undefined => {
  const [, whole = "", fraction = "", zone = ""] = moment.exec(text) ?? []
  const read = DateTime.make(`${whole}${zone}`)
  if (Option.isNone(read)) return undefined
  const [seconds = "", rest] = DateTime.formatIso(read.value).split(".")
  // Dates before the year 0 in UTC have another format.
  return seconds.length === 19 && rest === "000Z" ? `${seconds}.${fraction.padEnd(9, "0")}Z` : undefined
}

const epoch = "1970-01-01T00:00:00.000000000Z"

/** Returns the time one second earlier, but not before 1970, because engines have no earlier lines. */
export const secondBefore = (at: string): string => {
  if (at.slice(0, 4) <= epoch.slice(0, 4)) return epoch
  const whole = DateTime.makeUnsafe(`${at.slice(0, 19)}Z`)
  return `${DateTime.formatIso(DateTime.subtract(whole, { seconds: 1 })).slice(0, 19)}${at.slice(19)}`
}

/** Orders positions by time, then by their order in the container, then by the container's name. */
export const comparePositions = (one: LinePosition, other: LinePosition): number => {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  if (one.ordinal !== other.ordinal) return one.ordinal - other.ordinal
  return one.container === other.container ? 0 : one.container < other.container ? -1 : 1
}

/** Returns the position in a container at which a reader with this cursor continues. */
export const positionIn = ({ floor, reached }: LineCursor, container: string): LinePosition =>
  reached.get(container) ?? floor

/** Returns the id of a line, which {@link readCursor} parses as the cursor of a reader at that line. */
export const lineId = ({ at, container, ordinal, print }: LinePosition): string =>
  `${at}~${ordinal}${print === undefined ? "" : `.${print}`}~${container}`

/** Returns a cursor as text. */
export const showCursor = ({ floor, reached }: LineCursor): string => [floor, ...reached.values()].map(lineId).join(",")

const position = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z)~(\d{1,15})(?:\.([0-9a-z]{1,7}))?~([A-Za-z0-9_.-]{0,255})$/
const longest = 20_000

/**
 * Parses the id of a line, or a cursor of {@link showCursor}; undefined for any other text.
 *
 * ```ts
 * import { readCursor, showCursor } from "@slipway/domain/deploy"
 *
 * const id = "2026-03-01T00:00:00.000000000Z~3~web"
 * readCursor(id)?.floor.ordinal // => 3
 * showCursor(readCursor(`${id},${id}`) ?? { floor: { at: "", ordinal: 0, container: "" }, reached: new Map() }) // => `${id},${id}`
 * readCursor("3") // => undefined
 * ```
 */
export const readCursor = (text: string): LineCursor | undefined => {
  if (text.length > longest) return undefined
  const positions: Array<LinePosition> = []
  for (const part of text.split(",")) {
    const [whole, at = "", ordinal, print, container = ""] = position.exec(part) ?? []
    if (whole === undefined || momentOf(at) !== at) return undefined
    positions.push({ at, ordinal: Number(ordinal), container, ...(print === undefined ? {} : { print }) })
  }
  const [floor, ...rest] = positions
  return floor === undefined ? undefined : { floor, reached: new Map(rest.map((each) => [each.container, each])) }
}
