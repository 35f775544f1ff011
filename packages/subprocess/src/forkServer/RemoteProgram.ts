import { EventEmitter } from "node:events"
import { connect, type Socket } from "node:net"
import type { Program } from "../Program.ts"
import { greetingOf } from "./messages.ts"

/** The callbacks by which a remote program sends requests to its fork server. */
interface Starter {
  /** Called when all pipes have sent their greeting, or when a pipe has failed. */
  readonly connected: () => void
  readonly kill: (signal: NodeJS.Signals) => void
  /** Called when it isn't started. */
  readonly gaveUp: () => void
}

/** A program that the fork server started for this process. */
export class RemoteProgram extends EventEmitter implements Program {
  exitCode: number | null = null
  signalCode: NodeJS.Signals | null = null
  readonly stdin: Socket
  readonly stdout: Socket
  readonly stderr: Socket
  readonly stdio: ReadonlyArray<Socket>
  readonly #starter: Starter
  #open: number
  #unknown: number
  /** A signal that was sent to the program before its start was requested. */
  #early: NodeJS.Signals | undefined
  /** Why a pipe couldn't be opened. */
  #error: NodeJS.ErrnoException | undefined

  constructor(path: string, nonce: string, pipes: number, starter: Starter) {
    super()
    this.#starter = starter
    this.#open = pipes
    this.#unknown = pipes
    const socket = (at: number) => {
      const connection = connect(path)
      // The program's exit reports any break.
      connection.on("error", (error: NodeJS.ErrnoException) => {
        if (error.syscall === "connect") this.#error = error
      })
      connection.once("close", () => this.#closed())
      connection.write(greetingOf(nonce, at), (error) => {
        if (!error) this.#greeted()
      })
      return connection
    }
    this.stdin = socket(0)
    this.stdout = socket(1)
    this.stderr = socket(2)
    this.stdio = [this.stdin, this.stdout, this.stderr, ...Array.from({ length: pipes - 3 }, (_, at) => socket(3 + at))]
  }

  get isOver(): boolean {
    return this.exitCode !== null || this.signalCode !== null
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    if (this.isOver) return
    if (this.#unknown > 0) this.#early = signal
    else this.#starter.kill(signal)
  }

  /** Records the exit of the program. Its output may still be arriving. */
  ended(exitCode: number | null, signal: NodeJS.Signals | null): void {
    this.exitCode = exitCode
    this.signalCode = signal
    this.stdin.destroy()
    this.emit("exit", exitCode, signal)
    // Unread output would keep it from being closed.
    process.nextTick(() => {
      for (const each of this.stdio) if (each.readable) each.resume()
    })
    this.#emitClose()
  }

  /** Records why the program didn't start. */
  failed(error: NodeJS.ErrnoException): void {
    this.exitCode = error.errno ?? -1
    for (const each of this.stdio) each.destroy()
    this.emit("error", error)
  }

  /**
   * Records that the connection to the fork server was lost, so the state of the program is unknown. It counts as
   * killed.
   */
  lost(): void {
    for (const each of this.stdio) each.destroy()
    this.ended(null, "SIGKILL")
  }

  #greeted() {
    this.#unknown -= 1
    if (this.#unknown > 0 || this.isOver) return
    this.#starter.connected()
    if (this.#early !== undefined) this.#starter.kill(this.#early)
  }

  #closed() {
    this.#open -= 1
    if (this.#unknown > 0 && !this.isOver) this.#giveUp()
    this.#emitClose()
  }

  /** Cancels the start of a program because a pipe could not be opened, or because the caller has closed a pipe. */
  #giveUp() {
    // The server closes the pipes that exist.
    this.#starter.connected()
    this.#starter.kill("SIGKILL")
    this.#starter.gaveUp()
    if (this.#error === undefined) this.lost()
    else this.failed(this.#error)
  }

  #emitClose() {
    if (this.#open === 0 && this.isOver) this.emit("close", this.exitCode, this.signalCode)
  }
}
