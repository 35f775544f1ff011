import { type ChildProcess, fork } from "node:child_process"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import type { SpawnOptions } from "../spawn.ts"
import type { Asked, Told } from "./messages.ts"
import { RemoteProgram } from "./RemoteProgram.ts"

/** After how many milliseconds without a program the server is ended. */
const longestIdle = 60_000

const module = new URL(`./main${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** A small process that starts programs for this one. */
export class ForkServer {
  readonly #process: ChildProcess
  readonly #programs = new Map<number, RemoteProgram>()
  #path: string | undefined
  #last = 0
  #idle: NodeJS.Timeout | undefined
  /** Whether it could once be asked. */
  wasReady = false
  /** Whether it can be asked no more. */
  isGone = false

  constructor() {
    this.#process = fork(fileURLToPath(module), {
      cwd: "/",
      env: { TMPDIR: tmpdir() },
      execArgv: ["--single-threaded", "--max-semi-space-size=1", "--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "inherit", "ipc"]
    })
    this.#process.on("message", (told: Told) => this.#hear(told))
    this.#process.on("error", () => this.#gone()).once("disconnect", () => this.#gone())
    // It keeps nobody from ending, but while there is a program whose end it has to tell.
    this.#process.unref()
    this.#rest()
  }

  /** Whether it takes connections already. */
  get isReady(): boolean {
    return this.#path !== undefined && !this.isGone
  }

  /** Starts a program. */
  spawn(program: string, args: ReadonlyArray<string>, options: SpawnOptions): RemoteProgram {
    const id = ++this.#last
    const { environment, isDetached = false, pipes = 3 } = options
    const started = new RemoteProgram(this.#path ?? "", pipes, (signal) => this.#ask({ id, signal }))
    for (const each of started.stdio) {
      // Whose connection comes next would be taken for this one.
      each.once("error", ({ syscall }: NodeJS.ErrnoException) => {
        if (syscall === "connect") this.end()
      })
    }
    this.#programs.set(id, started)
    clearTimeout(this.#idle)
    this.#process.channel?.ref()
    this.#ask({ id, program, args, environment, isDetached, pipes })
    return started
  }

  /** Ends it; of the programs that it started nobody hears any more. */
  end(): void {
    if (this.#process.connected) this.#process.disconnect()
    this.#gone()
  }

  #ask(asked: Asked) {
    if (this.#process.connected) this.#process.send(asked)
  }

  #hear(told: Told) {
    if ("path" in told) {
      this.#path = told.path
      this.wasReady = true
      return
    }
    const program = this.#programs.get(told.id)
    this.#programs.delete(told.id)
    if (this.#programs.size === 0) this.#rest()
    if ("code" in told) program?.failed(Object.assign(new Error(told.message), { code: told.code, errno: told.errno }))
    else program?.ended(told.exitCode, told.signal)
  }

  #rest() {
    this.#process.channel?.unref()
    this.#idle = setTimeout(() => this.end(), longestIdle).unref()
  }

  #gone() {
    if (this.isGone) return
    this.isGone = true
    clearTimeout(this.#idle)
    for (const program of this.#programs.values()) program.lost()
    this.#programs.clear()
  }
}
