import type { Duplex, Readable, Writable } from "node:stream"

/** The options for starting a program. The working directory is `/`. */
export interface SpawnOptions {
  /** The complete environment of the program. It inherits no variable of this process. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether it leads a separate process group. */
  readonly isDetached?: boolean
  /** Number of its pipes, including the first three. */
  readonly pipes?: 3 | 4
}

/** A started program. The child processes of Node satisfy this interface. */
export interface Program {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly stdio: ReadonlyArray<Duplex | Readable | Writable>
  /** The exit code; a negative number if the program failed to start, and null while it runs. */
  readonly exitCode: number | null
  readonly signalCode: NodeJS.Signals | null
  readonly kill: (signal?: NodeJS.Signals) => unknown
  /**
   * Registers a listener: `error` for a failed start, `exit` for the exit, `close` for the exit after all output was
   * read.
   */
  once(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown
  once(event: "exit" | "close", listener: (exitCode: number | null, signal: NodeJS.Signals | null) => void): unknown
}
