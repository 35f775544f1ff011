import type { Progress } from "@slipway/domain/deploy/containers"
import { mostLines } from "@slipway/domain/deploy/runtime"
import { Effect, Stream } from "effect"
import { splitLines } from "./streams.ts"

const mostCharacters = 8_388_608

type Part = { readonly text: string } | { readonly error: string }

const wordIn = (message: object, name: string): string | undefined => {
  const word: unknown = (message as Record<string, unknown>)[name]
  return typeof word === "string" ? word : undefined
}

// Parsed by hand: a build emits millions of lines, and a schema takes many times as long for each.
const partOf = (line: string): Part | undefined => {
  const message = line.startsWith("{") ? parsed(line) : undefined
  if (typeof message !== "object" || message === null) return undefined
  const error = wordIn(message, "error")
  if (error !== undefined) return { error }
  const stream = wordIn(message, "stream")
  if (stream !== undefined) return { text: stream }
  const status = wordIn(message, "status")
  // Progress bars change many times a second, and have no value afterwards.
  if (status === undefined || wordIn(message, "progress") !== undefined) return undefined
  const id = wordIn(message, "id")
  return { text: `${id === undefined ? "" : `${id}: `}${status}\n` }
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const notText = "The rest of the log is omitted because it is too long."

/** Reads an engine's progress of a pull or build: its lines, in bounded number (I25), and its failure. */
export const progressOf = <E, E2, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  failed: (because: string) => E2
): Stream.Stream<Progress, E | E2, R> =>
  Stream.suspend(() => {
    const decoder = new TextDecoder()
    const left = { characters: mostCharacters, lines: mostLines }
    let message = ""
    let text = ""
    const isFull = () => left.characters <= 0 || left.lines <= 0
    const fitting = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
      const accepted: Array<string> = []
      for (const line of lines) {
        if (isFull()) break
        accepted.push(line)
        left.characters -= line.length + 1
        left.lines -= 1
        if (isFull()) accepted.push(notText)
      }
      return accepted
    }
    const read = (messages: ReadonlyArray<string>): Stream.Stream<Progress, E2> => {
      let more = ""
      let error: string | undefined
      for (const each of messages) {
        // Beyond the kept lines, only a failure matters; in the output of programs, quotes are escaped.
        const part = isFull() && !each.includes('"error"') ? undefined : partOf(each)
        if (part === undefined) continue
        if ("error" in part) {
          error = part.error
          break
        }
        if (!isFull()) more += part.text
      }
      const { lines, rest } = splitLines(text, more)
      text = isFull() ? "" : rest
      const progress = Stream.fromIterable(fitting(lines).map((line): Progress => ({ _tag: "Line", text: line })))
      return error === undefined ? progress : Stream.concat(progress, Stream.fail(failed(error)))
    }
    const parts = bytes.pipe(
      // Yields between two parts, so that fast ones don't block other fibers.
      Stream.tap(() => Effect.yieldNow),
      Stream.flatMap((part) => {
        const { lines, rest } = splitLines(message, decoder.decode(part, { stream: true }))
        message = rest
        return read(lines)
      })
    )
    const last = Stream.suspend(() => read(message === "" ? [] : [message]))
    const rest = Stream.suspend(() =>
      Stream.fromIterable(fitting(text === "" ? [] : [text]).map((line): Progress => ({ _tag: "Line", text: line })))
    )
    return parts.pipe(Stream.concat(last), Stream.concat(rest))
  })
