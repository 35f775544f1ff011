import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import type { Reporter, TestSpecification } from "vitest/node"
import { processes } from "./spreading.ts"

const root = join(import.meta.dirname, "..", "..")
const directory = join(root, "node_modules", ".cache", "bundles")

/** What is put into a bundle: what consists of many small modules; the rest is loaded as it is installed. */
const bundled = /^(?:[./]|effect(?:\/|$)|@effect\/|@slipway\/)/

/** Modules find their neighbours where their sources are. */
const inPlace = (code: string, id: string) =>
  code
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
    .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)))

const bundle = async (app: string): Promise<void> => {
  const made = await rolldown({
    input: join(root, "apps", app, "src", "main.ts"),
    platform: "node",
    external: (id) => !bundled.test(id),
    resolve: { conditionNames: ["@slipway/source", "node", "import", "module-sync", "default"] },
    plugins: [{ name: "in place", transform: { filter: { code: "import.meta." }, handler: inPlace } }]
  })
  await made.write({ dir: join(directory, app), format: "esm", cleanDir: true })
}

/**
 * Bundles the services and the command line once for a run that starts any: of the time of a start, the loading of two thousand modules is the
 * half, and a run has two hundred starts.
 */
export class Bundles implements Reporter {
  async onTestRunStart(files: ReadonlyArray<TestSpecification>): Promise<void> {
    if (!files.some(({ moduleId }) => existsSync(moduleId) && processes.test(readFileSync(moduleId, "utf8")))) return
    await Promise.all(["cli", "deploy", "forge"].map(bundle))
    process.env.SLIPWAY_TEST_BUNDLES = directory
  }
}
