import { type ChildProcess, fork } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync, rm } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import type { SpawnOptions } from "../Program.ts"
import type { ForkMessage, ForkRequest } from "./messages.ts"
import { RemoteProgram } from "./RemoteProgram.ts"

/** The time in milliseconds without a running program after which the fork server stops. */
const longestIdle = 60_000
/**
 * The maximum number of concurrent programs. Programs that start together use the socket queue and open files of the
 * fork server.
 */
const most = 100

/** Returns the path of the fork server's program. Throws if the file is missing, which is the case in a bundle. */
const programPath = (): string => {
  const path = fileURLToPath(
    new URL(`./slipwayForkServer${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)
  )
  if (!existsSync(path)) throw new Error(`the fork server does not exist at ${path}`)
  return path
}

/** A fork server: a small process that starts programs for this process, because forking a small process is faster. */
export class ForkServer {
  readonly #process: ChildProcess
  readonly #programs = new Map<number, RemoteProgram>()
  #path: string | undefined
  #last = 0
  #idle: NodeJS.Timeout | undefined
  #isLost = false
  /** Whether it was ready once. */
  wasReady = false
  /** Whether the fork server accepts no more requests. Its running programs may continue. */
  isGone = false

  constructor() {
    this.#process = fork(programPath(), {
      cwd: "/",
      env: { TMPDIR: tmpdir() },
      execArgv: [
        "--single-threaded",
        "--max-semi-space-size=1",
        "--disable-warning=ExperimentalWarning",
        "--disable-warning=SecurityWarning"
      ],
      stdio: ["ignore", "ignore", "inherit", "ipc"]
    })
    this.#process.on("message", (message: ForkMessage) => this.#hear(message))
    this.#process.on("error", () => this.#lose()).once("disconnect", () => this.#lose())
    // It doesn't keep this process running, except while a program's exit is still to be reported.
    this.#process.unref()
    this.#rest()
  }

  /** Whether it accepts connections. */
  get isReady(): boolean {
    return this.#path !== undefined && !this.isGone
  }

  /** Whether the fork server can start one more program. */
  get hasRoom(): boolean {
    if (this.#path === undefined || this.isGone || this.#programs.size >= most) return false
    // Its folder is temporary, and others may remove it.
    this.isGone = !existsSync(this.#path)
    return !this.isGone
  }

  /** Starts a program. */
  spawn(program: string, args: ReadonlyArray<string>, options: SpawnOptions): RemoteProgram {
    const id = ++this.#last
    const nonce = randomUUID()
    const { environment, isDetached = false, pipes = 3 } = options
    const started = new RemoteProgram(this.#path ?? "", nonce, pipes, {
      connected: () => this.#ask({ id, nonce, program, args, environment, isDetached, pipes }),
      kill: (signal) => this.#ask({ id, signal }),
      gaveUp: () => this.#forget(id)
    })
    this.#programs.set(id, started)
    clearTimeout(this.#idle)
    this.#process.channel?.ref()
    return started
  }

  /** Stops the fork server. The exits of its running programs are not reported. */
  end(): void {
    if (this.#process.connected) this.#process.disconnect()
    this.#lose()
  }

  #ask(asked: ForkRequest) {
    if (this.#process.connected) this.#process.send(asked)
  }

  #hear(message: ForkMessage) {
    if ("path" in message) {
      this.#path = message.path
      this.wasReady = true
      return
    }
    const program = this.#programs.get(message.id)
    this.#forget(message.id)
    if ("code" in message)
      program?.failed(Object.assign(new Error(message.message), { code: message.code, errno: message.errno }))
    else program?.ended(message.exitCode, message.signal)
  }

  #forget(id: number) {
    if (this.#programs.delete(id) && this.#programs.size === 0) this.#rest()
  }

  #rest() {
    this.#process.channel?.unref()
    this.#idle = setTimeout(() => this.end(), longestIdle).unref()
  }

  #lose() {
    if (this.#isLost) return
    this.#isLost = true
    this.isGone = true
    clearTimeout(this.#idle)
    // A killed server has left it.
    if (this.#path !== undefined) rm(dirname(this.#path), { recursive: true, force: true }, () => {})
    const programs = [...this.#programs.values()]
    this.#programs.clear()
    for (const program of programs) program.lost()
  }
}
