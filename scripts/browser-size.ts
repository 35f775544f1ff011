/** Bundles the modules for browsers, and fails if one is above its size limit or contains other packages. */
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "../packages")

/** A bundle: its entry, the folder that contains all of it, and its limit in bytes. */
const entries = [
  { name: "the access library", entry: "access/src/index.ts", within: "access/src/", most: 10 * 1024 },
  { name: "proofs of access rules", entry: "access/src/proof/index.ts", within: "access/src/", most: 10 * 1024 },
  {
    name: "the rules alone",
    entry: "domain/src/forge/rules/index.ts",
    within: "domain/src/forge/rules/",
    most: 12 * 1024
  },
  { name: "the forge's client", entry: "client/src/forge/index.ts", within: "client/src/", most: 12 * 1024 },
  {
    name: "the deployment platform's client",
    entry: "client/src/deploy/index.ts",
    within: "client/src/",
    most: 6 * 1024
  }
]

for (const { entry, most, name, within } of entries) {
  const bundle = await rolldown({ input: join(root, entry), platform: "browser" })
  const { output } = await bundle.generate({ minify: true, format: "es" })
  const size = gzipSync(output.map((each) => (each.type === "chunk" ? each.code : "")).join("")).length
  const foreign = output
    .flatMap((each) => (each.type === "chunk" ? [...Object.keys(each.modules), ...each.imports] : []))
    .filter((module) => !module.startsWith(join(root, within)) && !module.endsWith("rolldown/runtime.js"))
  process.stdout.write(`${name}: ${size} bytes in a browser (at most ${most})\n`)
  for (const module of foreign) process.stderr.write(`${name} loads ${module}\n`)
  if (size > most || foreign.length > 0) process.exitCode = 1
}
