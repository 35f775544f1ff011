/** Checks every file of packages/, apps/ and scripts/ against scripts/architecture/table.ts. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { breaches } from "./architecture/check.ts"
import { linesOf, overLimit } from "./architecture/lines.ts"

const root = join(import.meta.dirname, "..")
const files = globSync(
  ["package.json", "{packages,apps}/*/package.json", "{packages,apps}/*/{src,test,bench}/**/*.ts", "scripts/**/*.ts"],
  { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] }
).sort()
const repository = new Map(
  files.map((file) => [file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8")] as const)
)

const lines = linesOf(repository)
const total = [...lines.values()].reduce((sum, count) => sum + count, 0)
for (const [name, count] of lines) process.stdout.write(`${String(count).padStart(7)} lines in ${name}/src\n`)
process.stdout.write(`${String(total).padStart(7)} lines in all sources, without generated files\n`)

const found = [...breaches(repository), ...overLimit(lines)]
for (const breach of found) process.stderr.write(`${breach}\n`)
process.stdout.write(
  `${files.length} files held against scripts/architecture/table.ts: ${found.length === 0 ? "all in order" : `${found.length} to put right`}\n`
)
process.exitCode = found.length === 0 ? 0 : 1
