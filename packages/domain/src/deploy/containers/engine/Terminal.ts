import type { Effect, Stream } from "effect"
import type { EngineFailure } from "./EngineError.ts"

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** The maximum number of columns or rows of a terminal. */
export const largestTerminal = 1_000

/** An interactive program in a container, connected to a terminal. */
export interface Terminal {
  /**
   * Streams the output until the program exits. It is received only as fast as it is consumed, so a slow consumer slows
   * down the program (backpressure). Consume it only once.
   */
  readonly output: Stream.Stream<Uint8Array, EngineFailure>
  /** Sends input, such as typed characters; waits while the program does not read its input. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, EngineFailure>
  readonly resize: (size: TerminalSize) => Effect.Effect<void, EngineFailure>
}
