import type { Duplex, Readable, Writable } from "node:stream"

/** How a program is started; its paths begin at the root, where it is run. */
export interface SpawnOptions {
  /** The whole environment: nothing of this process's own is added. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether it leads a separate process group. */
  readonly isDetached?: boolean
  /** How many pipes lead to it, the first three among them. */
  readonly pipes?: 3 | 4
}

/** A program that was started; Node's own processes are such. */
export interface Program {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly stdio: ReadonlyArray<Duplex | Readable | Writable>
  /** How it ended, or a negative number where it didn't start. */
  readonly exitCode: number | null
  readonly signalCode: NodeJS.Signals | null
  readonly kill: (signal?: NodeJS.Signals) => unknown
  /** Registers a listener for a failed start, for its exit, or for its exit with all output read. */
  once(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown
  once(event: "exit" | "close", listener: (exitCode: number | null, signal: NodeJS.Signals | null) => void): unknown
}
