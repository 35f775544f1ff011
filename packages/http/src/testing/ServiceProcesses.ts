import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, isAbsolute, join } from "node:path"
import { ServiceProcess } from "./ServiceProcess.ts"

const bundles = () => process.env.SLIPWAY_TEST_BUNDLES

const serviceOf = (main: string): string => basename(join(main, "..", ".."))

/** Returns the bundle of an app that this test run built, which starts faster; its main file if there is no bundle. */
export const programOf = (main: string): string => {
  const directory = bundles()
  return directory === undefined ? main : join(directory, serviceOf(main), "main.js")
}

/** Copies a prepared database to the service's database directory, so that the service starts without migrations. */
const placeTables = (service: string, directory: string, settings: Readonly<Record<string, string>>): void => {
  const tables = join(bundles() ?? "", `${service}-tables`)
  const address = settings[`${service.toUpperCase()}_DATABASE_URL`] ?? `file:.slipway/${service}`
  const place = address.slice("file:".length)
  if (!address.startsWith("file:") || isAbsolute(place) || settings.DATABASE_URL !== undefined) return
  const database = join(directory, place)
  if (bundles() === undefined || existsSync(database) || !existsSync(tables)) return
  mkdirSync(database, { recursive: true, mode: 0o700 })
  cpSync(join(tables, "postgres"), join(database, "postgres"), { recursive: true })
}

// A process that runs for a second compiles nothing better, nor in advance, and collects its garbage seldom and in its
// own thread.
const compiling = ["--liftoff-only", "--no-maglev", "--no-turbofan", "--max-lazy"]
const flags = [...compiling, "--single-threaded-gc", "--min-semi-space-size=16"]

/** Starts processes of one service for tests; `end` kills them and removes their directories. */
export class ServiceProcesses {
  readonly #main: string
  readonly #directories: Array<string> = []
  readonly #withoutTables = new Set<string>()
  readonly #started: Array<ServiceProcess> = []

  constructor(main: string) {
    this.#main = main
  }

  /** Makes a directory; `withTables: false` is for tests of how a service sets up an empty database. */
  directory({ withTables = true }: { readonly withTables?: boolean } = {}): string {
    const directory = mkdtempSync(join(tmpdir(), "slipway-service-"))
    this.#directories.push(directory)
    if (!withTables) this.#withoutTables.add(directory)
    return directory
  }

  /** Starts the service in a directory. */
  start(directory: string, settings: Readonly<Record<string, string>> = {}): ServiceProcess {
    if (!this.#withoutTables.has(directory)) placeTables(serviceOf(this.#main), directory, settings)
    const started = new ServiceProcess({ main: programOf(this.#main), directory, settings, flags })
    this.#started.push(started)
    return started
  }

  /** Kills running processes, and removes the directories. */
  async end(): Promise<void> {
    await Promise.all(this.#started.splice(0).map((started) => started.stop("SIGKILL")))
    for (const directory of this.#directories.splice(0)) rmSync(directory, { recursive: true, force: true })
  }
}
