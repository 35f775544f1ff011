import { DateTime, Option } from "effect"

/** The position of a line among all log lines of an application's containers. */
export interface LinePosition {
  /** The time of the line, in the format of {@link momentOf}. */
  readonly at: string
  /** The number of earlier lines of the container with the same timestamp that were read. */
  readonly ordinal: number
  readonly container: string
  /** A hash of this line and the lines before it; set only if reading began between lines with the same timestamp. */
  readonly print?: string
}

/** The position of a log reader: the last line read of each container, and `floor` for containers without an entry. */
export interface LineCursor {
  readonly floor: LinePosition
  readonly reached: ReadonlyMap<string, LinePosition>
}

/** The position before all log lines. */
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

/** Returns the time one second before `at`, but not before 1970: engines have no earlier log lines. */
export const secondBefore = (at: string): string => {
  if (at.slice(0, 4) <= epoch.slice(0, 4)) return epoch
  const whole = DateTime.makeUnsafe(`${at.slice(0, 19)}Z`)
  return `${DateTime.formatIso(DateTime.subtract(whole, { seconds: 1 })).slice(0, 19)}${at.slice(19)}`
}

/** Compares log positions for sorting: by time, then by the line's number, then by container name. */
export const comparePositions = (one: LinePosition, other: LinePosition): number => {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  if (one.ordinal !== other.ordinal) return one.ordinal - other.ordinal
  return one.container === other.container ? 0 : one.container < other.container ? -1 : 1
}

/** Returns the position in a container's log at which a reader with this cursor continues. */
export const positionIn = ({ floor, reached }: LineCursor, container: string): LinePosition =>
  reached.get(container) ?? floor

/** Formats a position as the id of a log line; {@link readCursor} parses it as a cursor. */
export const lineId = ({ at, container, ordinal, print }: LinePosition): string =>
  `${at}~${ordinal}${print === undefined ? "" : `.${print}`}~${container}`

/** Formats a log cursor as text, which {@link readCursor} parses. */
export const showCursor = ({ floor, reached }: LineCursor): string => [floor, ...reached.values()].map(lineId).join(",")

const position = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z)~(\d{1,15})(?:\.([0-9a-z]{1,7}))?~([A-Za-z0-9_.-]{0,255})$/
const longest = 20_000

/**
 * Parses a log cursor from {@link showCursor}, or a line id from {@link lineId}; undefined for any other text.
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
