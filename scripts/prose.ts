/**
 * Checks the words of docs, comments and test titles: `npm run check:prose`. `-- --update` writes the current numbers to the
 * ratchet, if their sum does not grow;
 * `-- --list <folder>` prints the findings of a folder.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Counts, compare, countsOf, type Finding, findingsIn, folderOf } from "./prose/check.ts"
import { proseOfPage, proseOfSource } from "./prose/texts.ts"

const root = join(import.meta.dirname, "..")
const ratchet = join(import.meta.dirname, "prose/ratchet.json")

/** Generated files, and files that quote the words to avoid. */
const excluded =
  /(?:^|\/)(?:generated|golden|fixtures|node_modules)\/|^docs\/reference\/(?:access-tables|(?:forge|deploy)-routes|errors)\.md$|^packages\/domain\/src\/forge\/rules\/table\.ts$|^scripts\/(?:test\/)?prose[./]/

const files = (): ReadonlyArray<string> =>
  spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26
  })
    .stdout.split("\n")
    .filter((path) => /\.(?:md|ts|js|mjs)$/.test(path) && !excluded.test(path) && existsSync(join(root, path)))

const findings: ReadonlyArray<Finding> = files().flatMap((path) => {
  const text = readFileSync(join(root, path), "utf8")
  return findingsIn(path, path.endsWith(".md") ? proseOfPage(text) : proseOfSource(path, text))
})

const show = ({ found, line, path, use }: Finding) => `${path}:${line}: \`${found}\`: ${use}\n`

const { list, update } = parseArgs({
  options: { list: { type: "string" }, update: { type: "boolean", default: false } }
}).values
const sumOf = (numbers: Counts): number => Object.values(numbers).reduce((sum, each) => sum + each, 0)

const counts = countsOf(findings)
const allowed: Counts = JSON.parse(readFileSync(ratchet, "utf8"))
const { above, below } = compare(counts, allowed)
if (list !== undefined) {
  process.stdout.write(
    findings
      .filter(({ path }) => path.startsWith(list))
      .map(show)
      .join("")
  )
} else if (above.length > 0 && !(update && findings.length <= sumOf(allowed))) {
  for (const { allowed, folder, found } of above) {
    process.stderr.write(
      `${folder}: ${found} words to avoid, ${allowed} allowed; \`npm run check:prose -- --list ${folder}\` shows all\n`
    )
    if (allowed === 0)
      process.stderr.write(
        findings
          .filter(({ path }) => folderOf(path) === folder)
          .map(show)
          .join("")
      )
  }
  process.exitCode = 1
} else if (update) {
  writeFileSync(ratchet, `${JSON.stringify(counts, null, 2)}\n`)
  process.stdout.write(`${findings.length} words to avoid are left\n`)
} else if (below.length > 0 && process.env.CI !== undefined) {
  for (const { allowed, folder, found } of below) process.stderr.write(`${folder}: ${found} left, ${allowed} allowed\n`)
  process.stderr.write("lower the allowance: npm run check:prose -- --update\n")
  process.exitCode = 1
} else {
  for (const { allowed, folder, found } of below) process.stdout.write(`${folder}: ${found} left, ${allowed} allowed\n`)
  process.stdout.write(`no new words to avoid; ${findings.length} are left\n`)
}
