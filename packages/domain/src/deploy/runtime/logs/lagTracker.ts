import { millisecondsOf } from "../../../Time.ts"
import { isLine, type Read } from "./containerLines.ts"

/** The message for a reader that cannot keep up with a container. */
export const slowReaderMessage = "the container writes faster than its log lines can be stored and sent"

/** The tolerance for out-of-order lines: their number, and their delay in milliseconds. */
const late = { lines: 10_000, milliseconds: 3_000 } as const

/** The maximum number of lines per second: beyond it, engines silently drop lines on log rotation. */
const mostInSecond = 40_000

/** The age in milliseconds up to which a line counts as recent, regardless of the server's clock. */
const justNow = 60_000

/** Decides after each read whether a reader has fallen behind a container that writes without a pause. */
export const makeLagTracker = () => {
  let behind = 0
  let least = Number.POSITIVE_INFINITY
  let second = ""
  let inSecond = 0
  return (read: Read, time: number): boolean => {
    const last = read.at(-1)
    if (last === undefined || !isLine(last)) return false
    const lateness = time - millisecondsOf(`${last.at.slice(0, 23)}Z`)
    least = Math.min(least, lateness)
    behind = lateness - least > late.milliseconds ? behind + read.length : 0
    const present = last.at.slice(0, 19)
    inSecond = present === second ? inSecond + read.length : read.length
    second = present
    return behind > late.lines || (inSecond > mostInSecond && Math.abs(lateness) < justNow)
  }
}
