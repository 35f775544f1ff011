import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { ServiceProcess } from "./ServiceProcess.ts"

/** Returns the bundle of an app that this run has made, which starts sooner, or its main file where there is none. */
export const programOf = (main: string): string => {
  const bundles = process.env.SLIPWAY_TEST_BUNDLES
  return bundles === undefined ? main : join(bundles, basename(join(main, "..", "..")), "main.js")
}

// What lives for a second compiles nothing better, and collects its garbage seldom and in its own thread.
const flags = ["--liftoff-only", "--single-threaded-gc", "--min-semi-space-size=16"]

/** The processes of one service and the directories they use, all gone at `end`. */
export class ServiceProcesses {
  readonly #main: string
  readonly #directories: Array<string> = []
  readonly #started: Array<ServiceProcess> = []

  constructor(main: string) {
    this.#main = main
  }

  /** Makes a directory. */
  directory(): string {
    const directory = mkdtempSync(join(tmpdir(), "slipway-service-"))
    this.#directories.push(directory)
    return directory
  }

  /** Starts the service in a directory. */
  start(directory: string, settings: Readonly<Record<string, string>> = {}): ServiceProcess {
    const started = new ServiceProcess({ main: programOf(this.#main), directory, settings, flags })
    this.#started.push(started)
    return started
  }

  /** Kills what still runs, and removes the directories. */
  async end(): Promise<void> {
    await Promise.all(this.#started.splice(0).map((started) => started.stop("SIGKILL")))
    for (const directory of this.#directories.splice(0)) rmSync(directory, { recursive: true, force: true })
  }
}
