/** Bundles the rules-only entry as a browser loads it, and fails when it is over its size or has anything of effect in it. */
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

const most = 12 * 1024
const input = join(import.meta.dirname, "../packages/domain/src/forge/rules/index.ts")
const bundle = await rolldown({ input, platform: "browser" })
const { output } = await bundle.generate({ minify: true, format: "es" })
const size = gzipSync(output.map((each) => (each.type === "chunk" ? each.code : "")).join("")).length
const foreign = output
  .flatMap((each) => (each.type === "chunk" ? [...Object.keys(each.modules), ...each.imports] : []))
  .filter((module) => !module.includes("/packages/domain/src/forge/rules/"))
process.stdout.write(`the rules alone are ${size} bytes in a browser (at most ${most})\n`)
for (const module of foreign) process.stderr.write(`the rules alone load ${module}\n`)
process.exitCode = size > most || foreign.length > 0 ? 1 : 0
