/** Checks every file of packages/, apps/ and scripts/ against scripts/architecture/table.ts. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { breaches } from "./architecture/check.ts"

const root = join(import.meta.dirname, "..")
const files = globSync(
  ["package.json", "{packages,apps}/*/package.json", "{packages,apps}/*/{src,test,bench}/**/*.ts", "scripts/**/*.ts"],
  { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] }
).sort()
const repository = new Map(
  files.map((file) => [file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8")] as const)
)

const found = breaches(repository)
for (const breach of found) process.stderr.write(`${breach}\n`)
process.stdout.write(
  `${files.length} files held against scripts/architecture/table.ts: ${found.length === 0 ? "all in order" : `${found.length} to put right`}\n`
)
process.exitCode = found.length === 0 ? 0 : 1
