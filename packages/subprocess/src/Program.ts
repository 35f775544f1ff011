import type { Duplex, Readable, Writable } from "node:stream"

/** The options of a program's start; its working directory is the root. */
export interface SpawnOptions {
  /** The complete environment: nothing of this process's own is added. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether it leads a separate process group. */
  readonly isDetached?: boolean
  /** Number of its pipes, including the first three. */
  readonly pipes?: 3 | 4
}

/** A started program; Node's own processes satisfy this interface. */
export interface Program {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly stdio: ReadonlyArray<Duplex | Readable | Writable>
  /** Its exit code, or a negative number if it didn't start. */
  readonly exitCode: number | null
  readonly signalCode: NodeJS.Signals | null
  readonly kill: (signal?: NodeJS.Signals) => unknown
  /** Registers a listener for a failed start, for its exit, or for its exit with all output read. */
  once(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown
  once(event: "exit" | "close", listener: (exitCode: number | null, signal: NodeJS.Signals | null) => void): unknown
}
