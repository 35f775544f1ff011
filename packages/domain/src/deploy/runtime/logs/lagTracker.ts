import { millisecondsOf } from "../../../Time.ts"
import { isLine, type Read } from "./containerLines.ts"

/** The message for a log reader that is slower than the container writes. */
export const slowReaderMessage = "the container writes faster than its log lines can be stored and sent"

/** The limits above which a reader is too slow: a number of lines that are each read this many milliseconds late. */
const late = { lines: 10_000, milliseconds: 3_000 } as const

/** The maximum number of log lines per second; above it, engines lose lines at log rotation without an error. */
const mostInSecond = 40_000

/** The age up to which a log line is recent, in milliseconds; it tolerates clock differences to the server. */
const justNow = 60_000

/**
 * Creates a function that returns, for each batch of lines and its time, whether the reader has fallen too far behind.
 */
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
