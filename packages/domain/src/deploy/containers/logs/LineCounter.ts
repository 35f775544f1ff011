import type { LogLine } from "../engine/ContainerEngine.ts"
import { type LinePosition, momentOf, startPosition } from "./LinePosition.ts"

/** The maximum number of lines that identify the position of a reader. */
const longestTrace = 32

const offset = 0x811c9dc5
const prime = 0x01000193

/** FNV-1a: fast, and good enough to distinguish the lines of one timestamp. */
const hashOf = (text: string, from = offset): number => {
  let hash = from
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), prime)
  return hash >>> 0
}

/**
 * Numbers the log lines of a container and remembers the last ones, so that another reader can find the position of
 * this one.
 *
 * An engine's timestamps may be whole seconds, and may go back slightly while a program writes to both streams
 * concurrently. If the beginning of a timestamp was not read, its lines get a hash of the lines up to them, since their
 * number is unknown.
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

  /** Counts the next line, and returns its position. */
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

  /** Continues counting after lost lines. */
  skip(): void {
    this.#moments.length = 0
    this.at = startPosition.at
    this.count = 0
    this.#ordinal = -1
    this.#isCut = true
  }

  /** Returns the hashes of the last lines, newest first. */
  trace(length = longestTrace): ReadonlyArray<number> {
    const known = Math.min(length, this.count, longestTrace)
    return Array.from({ length: known }, (_, n) => this.#recent[(this.count - 1 - n) % longestTrace] ?? 0)
  }

  /** Returns the earliest time of the last lines: a reader from there receives all of the traced lines. */
  get earliest(): string {
    return this.#moments.reduce((one, other) => (one < other ? one : other), this.at)
  }

  /** Returns whether the last lines match a trace. */
  endsWith(trace: ReadonlyArray<number>): boolean {
    if (this.count < trace.length) return false
    return trace.every((hash, n) => this.#recent[(this.count - 1 - n) % longestTrace] === hash)
  }

  /** Returns the hash of the lines up to the last one, if the beginning of its timestamp was not read. */
  print(ordinal: number): string {
    let hash = offset
    for (const each of this.trace(Math.min(ordinal + 1, longestTrace))) hash = Math.imul(hash ^ each, prime)
    return (hash >>> 0).toString(36)
  }
}
