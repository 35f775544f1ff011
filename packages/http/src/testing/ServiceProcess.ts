import { type ChildProcess, spawn } from "node:child_process"

/** The options for running a service as a separate process. */
export interface ServiceOptions {
  /** The service's main file. */
  readonly main: string
  /** The working directory; the service stores its files there unless a setting has another path. */
  readonly directory: string
  /**
   * The environment variables, in addition to PATH, TMPDIR and NODE_COMPILE_CACHE. Ports are random unless set here.
   */
  readonly settings?: Readonly<Record<string, string>>
  /** Flags for Node; by default the flags of `npm start`, and flags that speed up a short run. */
  readonly flags?: ReadonlyArray<string>
}

/** How a process exited: with a code, or by a signal. */
export type Ending = number | NodeJS.Signals

/** The environment variables that a service inherits from the tests; with the compile cache it starts faster. */
const passed = ["NODE_COMPILE_CACHE", "PATH", "TMPDIR"]
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.includes(name)))

/** A service in a separate process, for tests and benchmarks. */
export class ServiceProcess {
  /** The standard output of the process so far. */
  stdout = ""
  /** The standard error of the process so far. */
  stderr = ""
  /** Resolves when the process exits; methods that wait for output reject then. */
  readonly ended: Promise<Ending>
  readonly #child: ChildProcess

  constructor({ directory, flags = ["--liftoff-only"], main, settings }: ServiceOptions) {
    this.#child = spawn(process.execPath, ["--conditions=@slipway/source", ...flags, main], {
      cwd: directory,
      env: { ...environment(), FORGE_PORT: "0", FORGE_SSH_PORT: "0", DEPLOY_PORT: "0", ...settings },
      stdio: ["ignore", "pipe", "pipe"]
    })
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text
    })
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text
    })
    this.ended = new Promise((resolve) => {
      this.#child.once("close", (code, signal) => resolve(code ?? signal ?? 1))
    })
  }

  /** The id of the process. */
  get pid(): number {
    return this.#child.pid ?? Number.NaN
  }

  /** Waits until the service accepts requests, and returns its URL. */
  async listening(): Promise<string> {
    const base = await this.said(/^ {2}API +(http:\S+)\/api\/v1$/m)
    return base[1] as string
  }

  /** Waits until the standard output matches a pattern, and returns the match. */
  async said(pattern: RegExp): Promise<RegExpExecArray> {
    while (true) {
      const found = pattern.exec(this.stdout)
      if (found !== null) return found
      const over = await Promise.race([this.ended, this.#more()])
      if (over !== undefined && !pattern.test(this.stdout)) {
        throw new Error(`it ended with ${over} before it said ${pattern}:\n${this.stdout}${this.stderr}`)
      }
    }
  }

  #more(): Promise<undefined> {
    return new Promise((resolve) => this.#child.stdout?.once("data", () => resolve(undefined)))
  }

  /** Sends a signal to the process, and waits for its exit. */
  stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ending> {
    this.signal(signal)
    return this.ended
  }

  /** Sends a signal to the process. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }
}
