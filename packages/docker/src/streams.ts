import type { LogLine } from "@slipway/domain/deploy/containers"
import { Stream } from "effect"

/** The maximum length of a line in characters; a longer line is split into several lines. */
export const longestLine = 16_384

interface Cut {
  readonly lines: ReadonlyArray<string>
  readonly rest: string
}

const pieces = (line: string): ReadonlyArray<string> => {
  if (line.length <= longestLine) return [line]
  return Array.from({ length: Math.ceil(line.length / longestLine) }, (_, n) =>
    line.slice(n * longestLine, (n + 1) * longestLine)
  )
}

/**
 * Splits a text into lines of at most {@link longestLine} characters. The incomplete last line is returned separately.
 */
export const splitLines = (rest: string, more: string): Cut => {
  const parts = (rest + more).split("\n")
  const last = parts.pop() ?? ""
  const [remainder = "", ...early] = pieces(last).toReversed()
  const lines = [...parts.flatMap((line) => pieces(line.replace(/\r$/, ""))), ...early.toReversed()]
  return { lines, rest: remainder }
}

/** Splits a stream of text into lines, with bounded memory (invariant I25: bounded resources). */
export const linesOf = <E, R>(text: Stream.Stream<string, E, R>): Stream.Stream<string, E, R> =>
  text.pipe(
    Stream.mapAccum(
      () => "",
      (rest, more) => {
        const { lines, rest: remainder } = splitLines(rest, more)
        return [remainder, lines]
      },
      { onHalt: (rest) => (rest === "" ? [] : [rest]) }
    )
  )

/** A part of a program's output, from stdout or stderr. */
export interface Frame {
  readonly stream: LogLine["stream"]
  /** Whether this part is the beginning of one of the engine's frames. */
  readonly begins: boolean
  readonly bytes: Uint8Array
}

const headerLength = 8
const standardError = 2

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  if (one.length === 0) return other
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

interface Demultiplexer {
  /** The received bytes of a frame header that is not complete yet. */
  readonly header: Uint8Array
  readonly stream: LogLine["stream"]
  /** The number of bytes of the current frame that were not received yet. */
  readonly missing: number
  readonly begins: boolean
}

const step = (state: Demultiplexer, chunk: Uint8Array): readonly [Demultiplexer, ReadonlyArray<Frame>] => {
  const frames: Array<Frame> = []
  let { begins, header, missing, stream } = state
  let left = chunk
  while (left.length > 0) {
    if (missing > 0) {
      const bytes = left.subarray(0, missing)
      frames.push({ stream, begins, bytes })
      begins = false
      missing -= bytes.length
      left = left.subarray(bytes.length)
    } else {
      const wanted = headerLength - header.length
      header = joined(header, left.subarray(0, wanted))
      left = left.subarray(wanted)
      if (header.length === headerLength) {
        stream = header[0] === standardError ? "stderr" : "stdout"
        missing = new DataView(header.buffer, header.byteOffset).getUint32(4)
        header = new Uint8Array()
        begins = true
      }
    }
  }
  return [{ begins, header, missing, stream }, frames]
}

/**
 * Separates stdout and stderr, which an engine multiplexes into one stream of frames. Emits partial frames immediately.
 */
export const demultiplex = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Frame, E, R> =>
  bytes.pipe(
    Stream.mapAccum(
      (): Demultiplexer => ({ header: new Uint8Array(), stream: "stdout", missing: 0, begins: true }),
      step
    )
  )

/**
 * Returns the lines of stdout and stderr. The order within each of the two streams is kept.
 *
 * With `messages`, each frame is one log message and starts a new line. The engine splits a long line into several
 * messages.
 */
export const framedLines = <E, R>(
  frames: Stream.Stream<Frame, E, R>,
  messages = false
): Stream.Stream<Omit<LogLine, "at">, E, R> =>
  Stream.suspend(() => {
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
    const rests = { stdout: "", stderr: "" }
    const restOf = (stream: LogLine["stream"]) => {
      const text = rests[stream]
      rests[stream] = ""
      return text === "" ? [] : [{ stream, text }]
    }
    return frames.pipe(
      Stream.mapAccum(
        () => null,
        (state, { begins, bytes, stream }) => {
          const earlier = messages && begins ? restOf(stream) : []
          const { lines, rest } = splitLines(rests[stream], decoders[stream].decode(bytes, { stream: true }))
          rests[stream] = rest
          return [state, [...earlier, ...lines.map((text) => ({ stream, text }))]]
        },
        { onHalt: () => [...restOf("stdout"), ...restOf("stderr")] }
      )
    )
  })

/**
 * Moves the timestamp at the beginning of each log line to the field `at`. A line without a timestamp gets the
 * timestamp of the previous line.
 */
export const parseTimestamp = <E, R>(lines: Stream.Stream<Omit<LogLine, "at">, E, R>): Stream.Stream<LogLine, E, R> =>
  lines.pipe(
    Stream.mapAccum(
      () => "1970-01-01T00:00:00Z",
      (before, { stream, text }) => {
        const [moment = "", ...words] = text.split(" ")
        const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(moment)
        const at = isMoment ? moment : before
        return [at, [{ at, stream, text: isMoment ? words.join(" ") : text }]]
      }
    )
  )
