/**
 * Builds the documentation as a static site with search, which needs no server and no network:
 * `npm run site -- --out <directory>`. A dead link fails the build.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, posix, resolve } from "node:path"
import { parseArgs } from "node:util"
import MiniSearch from "minisearch"
import { rolldown } from "rolldown"
import { type Page, readPage } from "./site/page.ts"

/** Documents at the root of the repository, in the order of the site; missing ones are left out. */
const rootDocuments = ["CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "AGENTS.md", "examples/README.md"]

/** Returns the documents of a repository by path: README first, docs in the order in which README links them, packages last. */
const documentsOf = (root: string): ReadonlyMap<string, string> => {
  const read = (path: string) => readFileSync(join(root, path), "utf8")
  const first = read("README.md")
  const place = (path: string) => {
    const at = first.indexOf(`](${path}`)
    return at === -1 ? first.length : at
  }
  const docs = globSync("docs/**/*.md", { cwd: root })
    .sort()
    .toSorted((one, other) => place(one) - place(other))
  const packages = globSync("{packages,apps}/*/README.md", { cwd: root }).sort()
  const others = rootDocuments.filter((path) => isFile(join(root, path)))
  return new Map(["README.md", ...docs, ...others, ...packages].map((path) => [path, read(path)]))
}

/** Returns the address of a document on the site: next to its source, and a README as the index of its folder. */
const addressOf = (path: string): string => path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html")

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** Returns the relative path from the folder of a page to the root of the site. */
const upFrom = (address: string): string => "../".repeat(address.split("/").length - 1)

/** The groups of the navigation, each with the folder of its pages. */
const sections = [
  ["Guides", "docs/guides/"],
  ["Reference", "docs/reference/"],
  ["Explanation", "docs/explanation/"],
  ["Decisions", "docs/adr/"],
  ["Packages", "packages/"],
  ["Apps", "apps/"]
] as const

const navigation = (pages: ReadonlyArray<Page>, current: Page): string => {
  const item = ({ path, title }: Page) => {
    const here = path === current.path ? ' aria-current="page"' : ""
    return `<li><a href="${upFrom(addressOf(current.path))}${addressOf(path)}"${here}>${escaped(title)}</a></li>`
  }
  const list = (name: string, of: ReadonlyArray<Page>) =>
    of.length === 0 ? "" : `<nav aria-label="${name}"><p>${name}</p><ul>${of.map(item).join("")}</ul></nav>`
  const groups: ReadonlyMap<string, ReadonlyArray<Page>> = Map.groupBy(
    pages,
    ({ path }) => sections.find(([, folder]) => path.startsWith(folder))?.[0] ?? "Start"
  )
  return ["Start", ...sections.map(([name]) => name)].map((name) => list(name, groups.get(name) ?? [])).join("")
}

const written = (pages: ReadonlyArray<Page>, page: Page): string => {
  const up = upFrom(addressOf(page.path))
  const title = page.path === "README.md" ? "Slipway" : `${page.title} · Slipway`
  return `<!doctype html>
<html lang="en" data-top="${up}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${up}site.css">
<script defer src="${up}minisearch.js"></script>
<script defer src="${up}search.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a href="${up}index.html">Slipway</a>
<a href="${up}playground.html">Playground</a>
<form role="search">
<label for="query">Search (/)</label>
<input id="query" type="search" autocomplete="off">
<p id="count" role="status"></p>
<ol id="found" hidden></ol>
</form>
</header>
<div class="columns">
<div class="pages">${navigation(pages, page)}</div>
<main id="content">
${page.html}</main>
</div>
</body>
</html>
`
}

/** Options of the search index, which the site's script reads as well. */
const searchOptions = { fields: ["heading", "title", "text"], storeFields: ["heading", "title", "start"] }

const indexOf = (pages: ReadonlyArray<Page>): string => {
  const index = new MiniSearch(searchOptions)
  for (const { path, sections, title } of pages) {
    for (const { anchor, heading, text } of sections) {
      const id = `${addressOf(path)}${anchor === "" ? "" : `#${anchor}`}`
      index.add({ id, title, heading, text, start: text.slice(0, 160) })
    }
  }
  return `window.searchIndex = ${JSON.stringify({ index, options: searchOptions })}\n`
}

/** A site: page texts by address, linked files of the repository, and dead links. */
export interface Site {
  readonly texts: ReadonlyMap<string, string>
  readonly files: ReadonlySet<string>
  readonly dead: ReadonlyArray<string>
}

/** Builds the site of a repository's documents. */
export const siteOf = (root: string): Site => {
  const documents = documentsOf(root)
  const files = new Set<string>()
  const missing: Array<string> = []
  const pages = [...documents].map(([path, text]) =>
    readPage(path, text, (to) => {
      if (documents.has(to)) return posix.relative(posix.dirname(path), addressOf(to))
      if (isFile(join(root, to))) files.add(to)
      else missing.push(`${path}: ${to} does not exist`)
      return posix.relative(posix.dirname(path), to)
    })
  )
  const anchors = new Map(pages.map(({ path, sections }) => [path, new Set(sections.map(({ anchor }) => anchor))]))
  const astray = pages.flatMap(({ links, path }) =>
    links
      .filter(({ anchor, to }) => anchor !== "" && anchors.get(to)?.has(anchor) === false)
      .map(({ anchor, to }) => `${path}: ${to} has no heading #${anchor}`)
  )
  const texts = new Map(pages.map((page) => [addressOf(page.path), written(pages, page)]))
  return { texts: texts.set("search-index.js", indexOf(pages)), files, dead: [...missing, ...astray] }
}

/** Writes the playground of access rules, which works without a server, to a directory. */
export const writePlayground = async (out: string): Promise<void> => {
  const folder = join(import.meta.dirname, "site/playground")
  mkdirSync(out, { recursive: true })
  for (const name of ["playground.html", "playground.css"]) copyFileSync(join(folder, name), join(out, name))
  copyFileSync(join(import.meta.dirname, "site/site.css"), join(out, "site.css"))
  const bundle = await rolldown({
    input: join(folder, "playground.js"),
    platform: "browser",
    resolve: { conditionNames: ["@slipway/source", "import", "default"] }
  })
  await bundle.write({ file: join(out, "playground.js"), format: "iife", minify: true })
}

/** Writes the site of a repository to a directory and returns the dead links. */
const writeSite = async (root: string, out: string): Promise<ReadonlyArray<string>> => {
  const { dead, files, texts } = siteOf(root)
  const placed = (address: string) => {
    const path = join(out, address)
    mkdirSync(dirname(path), { recursive: true })
    return path
  }
  for (const [address, text] of texts) writeFileSync(placed(address), text)
  for (const file of files) copyFileSync(join(root, file), placed(file))
  copyFileSync(join(import.meta.dirname, "site/search.js"), placed("search.js"))
  await writePlayground(out)
  const library = join(root, "node_modules/minisearch")
  const notice = readFileSync(join(library, "LICENSE.txt"), "utf8")
  const program = readFileSync(join(library, "dist/umd/index.js"), "utf8").replace(/^\/\/# sourceMappingURL.*$/m, "")
  writeFileSync(placed("minisearch.js"), `/*!\n${notice}*/\n${program}`)
  process.stdout.write(`${texts.size - 1} pages in ${out}\n`)
  return dead
}

if (import.meta.main) {
  const { out } = parseArgs({ options: { out: { type: "string", default: "dist/site" } } }).values
  const root = join(import.meta.dirname, "..")
  const dead = await writeSite(root, resolve(root, out))
  for (const each of dead) process.stderr.write(`dead link: ${each}\n`)
  if (dead.length > 0) process.exitCode = 1
}
