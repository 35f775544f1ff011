import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..", "packages")
const most = 150
const mostOfEndpoint = { production: 30, tests: 15 }

/** The files of the feature, with the names of its declarations; an empty list means all. */
const parts: Readonly<Record<string, ReadonlyArray<string>>> = {
  "domain/src/forge/code/labels/Label.ts": [],
  "forge/src/code/labels/Labels.ts": [],
  "http/src/api/forge/base/schemas.ts": ["Label"],
  "http/src/api/forge/identity/organizations.ts": [
    "labelName",
    "labelSettings",
    "CreateLabelOption",
    "EditLabelOption",
    "labelEndpoints"
  ],
  "http/src/server/forge/code/labels.ts": [],
  "http/src/server/forge/base/show.ts": ["showLabelOf"]
}

/** Lines that only concern labels of repositories. */
const others = /^ +(readonly repositoryId|repositoryId: |\/\*\* The repository that)/

/** Lines of other files that name the feature: rows of access tables, errors and layers. */
const lines: Readonly<Record<string, RegExp>> = {
  "domain/src/forge/access/actions/organizations.ts": /^ {2}"organization\.label\./,
  "domain/src/forge/ownedKinds.ts": /^ {2}labels,?$/,
  "sql/src/forge/migrations/0001-0025/0003_organizations.ts": /^ {4}`CREATE (TABLE label \(|INDEX label_organization)/,
  "http/src/api/forge/ForgeApi.ts": /\(labelEndpoints\.group\)/,
  "http/src/server/forge/layer.ts": /^ {2}layerLabels,?$/,
  "http/src/server/forge/base/errorTable.ts": /^ {2}LabelNotFound/
}

const read = (path: string) => readFileSync(join(root, path), "utf8").split("\n")

/** Returns the top-level declarations of a file with their docstrings. */
const declarations = (
  path: string
): ReadonlyArray<{ readonly name: string; readonly lines: ReadonlyArray<string> }> => {
  const found: Array<{ name: string; lines: Array<string> }> = []
  let before: Array<string> = []
  for (const line of read(path).filter((each) => each.trim() !== "" && !others.test(each))) {
    const [, name] = /^(?:export )?(?:const|class|interface|type) (\w+|\{)/.exec(line) ?? []
    if (name !== undefined) {
      found.push({ name, lines: [...before, line] })
      before = []
    } else if (/^(\/\*\*| \*|\/\/)/.test(line)) before.push(line)
    else if (/^import |^ {2}(type )?\w+,?$|^\} from /.test(line) && found.length === 0) before = []
    else found.at(-1)?.lines.push(line)
  }
  return found
}

/**
 * Prints the production lines of the labels of organizations, from their declaration to the wire: declarations with
 * their docstrings, the lines elsewhere that name them, and the lines of their tests. Blank lines and imports are not
 * counted. Code shared with labels of repositories counts completely. Returns whether they are within the limits of
 * docs/guides/adding-an-endpoint.md.
 */
export const labelsAreShort = (): boolean => {
  const counts = [
    ...Object.entries(parts).map(([path, names]) => {
      const own = declarations(path).filter(({ name }) => names.length === 0 || names.includes(name))
      return { path, count: own.reduce((all, each) => all + each.lines.length, 0) }
    }),
    ...Object.entries(lines).map(([path, of]) => {
      const all = read(path)
      // A statement of several lines ends at its closing parenthesis.
      const rows = all.flatMap((line, at) => {
        if (!of.test(line)) return []
        const end = line.endsWith("(") ? all.findIndex((each, to) => to > at && /^ +\)/.test(each)) : at
        return all.slice(at, end + 1)
      })
      return { path, count: rows.length }
    })
  ]

  /** The HTTP tests of labels, which are one block. */
  const [block = ""] =
    /^describe\("labels"[\s\S]*?^\}\)/m.exec(read("http/test/forge/identity/organizations.test.ts").join("\n")) ?? []
  const tests = block.split("\n").length

  const endpoints = read("domain/src/forge/access/actions/organizations.ts").filter((line) =>
    line.startsWith('  "organization.label.')
  ).length
  const total = counts.reduce((all, { count }) => all + count, 0)
  for (const { count, path } of counts) process.stdout.write(`${String(count).padStart(4)} ${path}\n`)
  process.stdout.write(`${String(total).padStart(4)} lines for the labels of organizations (at most ${most})\n`)
  const each = { production: total / endpoints, tests: tests / endpoints }
  process.stdout.write(
    `${each.production.toFixed(1)} an endpoint (at most ${mostOfEndpoint.production}), ${each.tests.toFixed(1)} of tests (at most ${mostOfEndpoint.tests})\n`
  )
  const isLong =
    block === "" || total > most || each.production > mostOfEndpoint.production || each.tests > mostOfEndpoint.tests
  return !isLong && counts.every(({ count }) => count > 0)
}
