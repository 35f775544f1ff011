import { type ChildProcess, spawn } from "node:child_process"

/** How to run a service as a separate process. */
export interface ServiceOptions {
  /** The service's main file. */
  readonly main: string
  /** The working directory, with all files for which no setting names another path. */
  readonly directory: string
  /**
   * Its environment, in addition to PATH, TMPDIR and NODE_COMPILE_CACHE; its ports are any free ones unless set here.
   */
  readonly settings?: Readonly<Record<string, string>>
  /** Flags for Node; by default those of `npm start` and those that help a short run. */
  readonly flags?: ReadonlyArray<string>
}

/** How a process exited: with a code, or by a signal. */
export type Ending = number | NodeJS.Signals

/**
 * The variables that a service inherits from the tests; with a cache, its modules aren't compiled again at each start.
 */
const passed = ["NODE_COMPILE_CACHE", "PATH", "TMPDIR"]
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.includes(name)))

/** A service in a separate process, for tests and benchmarks. */
export class ServiceProcess {
  /** The standard output of the process so far. */
  stdout = ""
  /** The standard error of the process so far. */
  stderr = ""
  /** The exit of the process; every wait for output also ends with it. */
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

  /** Waits until it answers, and returns its address. */
  async listening(): Promise<string> {
    const base = await this.said(/^ {2}API +(http:\S+)\/api\/v1$/m)
    return base[1] as string
  }

  /** Waits for a match in its standard output. */
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

  /** Sends a signal, and waits for the exit. */
  stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ending> {
    this.signal(signal)
    return this.ended
  }

  /** Sends it a signal. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }
}
