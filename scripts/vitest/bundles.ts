import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import type { Reporter, TestSpecification } from "vitest/node"
import { processes } from "./sharding.ts"

const root = join(import.meta.dirname, "..", "..")
const directory = join(root, "node_modules", ".cache", "bundles")

/** Modules to bundle: packages with many small modules. Others are loaded as installed. */
const bundled = /^(?:[./]|effect(?:\/|$)|@effect\/|@slipway\/)/

/** Replaces import.meta in a bundled module with the location of its source. */
const inPlace = (code: string, id: string) =>
  code
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
    .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))

const bundle = async (app: string): Promise<void> => {
  const build = await rolldown({
    input: join(root, "apps", app, "src", "main.ts"),
    platform: "node",
    external: (id) => !bundled.test(id),
    resolve: { conditionNames: ["@slipway/source", "node", "import", "module-sync", "default"] },
    plugins: [{ name: "in place", transform: { filter: { code: "import.meta." }, handler: inPlace } }]
  })
  await build.write({ dir: join(directory, app), format: "esm", cleanDir: true })
}

/** Creates an embedded database with the tables of a service, which tests copy. Creating tables is the longest part of a start. */
const makeTables = async (service: string): Promise<void> => {
  const database = join(directory, `${service}-tables`)
  await rm(database, { recursive: true, force: true })
  const program = join(import.meta.dirname, "tables.ts")
  await promisify(execFile)(process.execPath, ["--conditions=@slipway/source", program, service, database])
}

/** The number of test files that start services from which preparing the tables pays off. */
const enough = 3

/**
 * Bundles the services and the command line once for a run that starts any. Half of a start is loading two thousand modules,
 * and a run has two hundred starts.
 */
export class Bundles implements Reporter {
  async onTestRunStart(files: ReadonlyArray<TestSpecification>): Promise<void> {
    const starting = files.filter(
      ({ moduleId }) => existsSync(moduleId) && processes.test(readFileSync(moduleId, "utf8"))
    )
    if (starting.length === 0) return
    await mkdir(directory, { recursive: true })
    // Otherwise Node would compile the files to find out their module type.
    await writeFile(join(directory, "package.json"), '{"type":"module"}')
    const tables = starting.length < enough ? [] : ["deploy", "forge"].map(makeTables)
    await Promise.all([...["cli", "deploy", "forge"].map(bundle), ...tables])
    process.env.SLIPWAY_TEST_BUNDLES = directory
  }
}
