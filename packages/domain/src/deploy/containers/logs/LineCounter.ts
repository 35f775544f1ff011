import type { LogLine } from "../engine/ContainerEngine.ts"
import { type LinePosition, momentOf, startPosition } from "./LinePosition.ts"

/** The number of last lines that are remembered by hash, to identify the position in a log. */
const longestTrace = 32

const offset = 0x811c9dc5
const prime = 0x01000193

/** Returns the 32-bit FNV-1a hash of a text; it is fast, and only distinguishes lines with the same timestamp. */
const hashOf = (text: string, from = offset): number => {
  let hash = from
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), prime)
  return hash >>> 0
}

/**
 * Assigns positions to the log lines of a container, and remembers hashes of the last lines, so that a later reader can
 * continue after them.
 *
 * A timestamp does not identify a line: some engines use whole seconds, and the times of the two output streams may be
 * out of order. Lines with the same timestamp are therefore numbered. If reading started between such lines, their
 * numbers are unknown, and a position also contains a hash of the lines before it.
 */
export class LineCounter {
  readonly container: string
  at = startPosition.at
  count = 0
  #ordinal = -1
  #isCut: boolean
  readonly #recent = new Uint32Array(longestTrace)
  readonly #moments: Array<string> = []

  constructor(container: string, isCut: boolean) {
    this.container = container
    this.#isCut = isCut
  }

  /** Counts the next log line, and returns its position. */
  next({ at: written, text }: LogLine): LinePosition {
    const at = momentOf(written) ?? this.at
    if (at > this.at) {
      if (this.count > 0) this.#isCut = false
      this.at = at
      this.#ordinal = 0
    } else this.#ordinal += 1
    this.#recent[this.count % longestTrace] = hashOf(text, hashOf(at))
    this.#moments[this.count % longestTrace] = at
    this.count += 1
    const position = { at: this.at, ordinal: this.#ordinal, container: this.container }
    return this.#isCut ? { ...position, print: this.print(this.#ordinal) } : position
  }

  /** Resets the numbering after some log lines were lost. */
  skip(): void {
    this.#moments.length = 0
    this.at = startPosition.at
    this.count = 0
    this.#ordinal = -1
    this.#isCut = true
  }

  /** Returns the hashes of the last `length` log lines, newest first; at most 32. */
  trace(length = longestTrace): ReadonlyArray<number> {
    const known = Math.min(length, this.count, longestTrace)
    return Array.from({ length: known }, (_, n) => this.#recent[(this.count - 1 - n) % longestTrace] ?? 0)
  }

  /** Returns the earliest time of the remembered lines; a reader that starts at this time receives all of them. */
  get earliest(): string {
    return this.#moments.reduce((one, other) => (one < other ? one : other), this.at)
  }

  /** Returns whether the last log lines have the hashes of a trace (see `trace`). */
  endsWith(trace: ReadonlyArray<number>): boolean {
    if (this.count < trace.length) return false
    return trace.every((hash, n) => this.#recent[(this.count - 1 - n) % longestTrace] === hash)
  }

  /** Returns a hash of the last `ordinal + 1` log lines, for positions with an unknown line number. */
  print(ordinal: number): string {
    let hash = offset
    for (const each of this.trace(Math.min(ordinal + 1, longestTrace))) hash = Math.imul(hash ^ each, prime)
    return (hash >>> 0).toString(36)
  }
}
