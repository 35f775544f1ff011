import { EventEmitter } from "node:events"
import { connect, type Socket } from "node:net"
import type { Program } from "../spawn.ts"

/** A program that the fork server started for this process. */
export class RemoteProgram extends EventEmitter implements Program {
  exitCode: number | null = null
  signalCode: NodeJS.Signals | null = null
  readonly stdin: Socket
  readonly stdout: Socket
  readonly stderr: Socket
  readonly stdio: ReadonlyArray<Socket>
  readonly kill: (signal?: NodeJS.Signals) => void
  #open: number

  constructor(path: string, pipes: number, kill: (signal: NodeJS.Signals) => void) {
    super()
    this.kill = (signal = "SIGTERM") => {
      if (!this.isOver) kill(signal)
    }
    const socket = () => {
      const made = connect(path)
      // What breaks off is told by how the program ended.
      made.on("error", () => {}).once("close", () => this.#closed())
      return made
    }
    this.stdin = socket()
    this.stdout = socket()
    this.stderr = socket()
    this.stdio = [this.stdin, this.stdout, this.stderr, ...Array.from({ length: pipes - 3 }, socket)]
    this.#open = this.stdio.length
  }

  get isOver(): boolean {
    return this.exitCode !== null || this.signalCode !== null
  }

  /** Takes note of how the program ended; what it wrote may still be on its way. */
  ended(exitCode: number | null, signal: NodeJS.Signals | null): void {
    this.exitCode = exitCode
    this.signalCode = signal
    this.stdin.destroy()
    this.emit("exit", exitCode, signal)
    // What nobody reads would keep it from being closed.
    process.nextTick(() => {
      for (const each of this.stdio) if (each.readable) each.resume()
    })
    this.#told()
  }

  /** Takes note of why the program didn't start. */
  failed(error: NodeJS.ErrnoException): void {
    this.exitCode = error.errno ?? -1
    for (const each of this.stdio) each.destroy()
    this.emit("error", error)
  }

  /** Takes note that nobody knows how the program goes on. */
  lost(): void {
    for (const each of this.stdio) each.destroy()
    this.ended(null, "SIGKILL")
  }

  #closed() {
    this.#open -= 1
    this.#told()
  }

  #told() {
    if (this.#open === 0 && this.isOver) this.emit("close", this.exitCode, this.signalCode)
  }
}
