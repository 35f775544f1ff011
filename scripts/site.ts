/**
 * Writes the documents as a static site with search, which needs no server and no network:
 * `npm run site -- --out <directory>`. A link that leads nowhere fails it.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, posix, resolve } from "node:path"
import { parseArgs } from "node:util"
import MiniSearch from "minisearch"
import { type Page, readPage } from "./site/page.ts"

/** The documents of a repository by their paths: the first page, what it lists in its order, other documents, packages. */
const documentsOf = (root: string): ReadonlyMap<string, string> => {
  const read = (path: string) => readFileSync(join(root, path), "utf8")
  const first = read("README.md")
  const place = (path: string) => {
    const at = first.indexOf(`](${path}`)
    return at === -1 ? first.length : at
  }
  const docs = globSync("docs/*.md", { cwd: root })
    .sort()
    .toSorted((one, other) => place(one) - place(other))
  const packages = globSync("packages/*/README.md", { cwd: root }).sort()
  return new Map(["README.md", ...docs, "CONTRIBUTING.md", ...packages].map((path) => [path, read(path)]))
}

/** Where the site has a document: beside its source, and a folder's README as the folder's index. */
const addressOf = (path: string): string => path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html")

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** The path from the folder of one page to the top of the site. */
const upFrom = (address: string): string => "../".repeat(address.split("/").length - 1)

const navigation = (pages: ReadonlyArray<Page>, current: Page): string => {
  const item = ({ path, title }: Page) => {
    const here = path === current.path ? ' aria-current="page"' : ""
    return `<li><a href="${upFrom(addressOf(current.path))}${addressOf(path)}"${here}>${escaped(title)}</a></li>`
  }
  const isPackage = ({ path }: Page) => path.startsWith("packages/")
  const list = (name: string, of: ReadonlyArray<Page>) =>
    `<nav aria-label="${name}"><p>${name}</p><ul>${of.map(item).join("")}</ul></nav>`
  return (
    list(
      "Pages",
      pages.filter((page) => !isPackage(page))
    ) + list("Packages", pages.filter(isPackage))
  )
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

/** What the search looks at; the site's own script reads these too. */
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

/** A site as texts by their addresses, the files of the repository that its pages lead to, and the links that lead nowhere. */
export interface Site {
  readonly texts: ReadonlyMap<string, string>
  readonly files: ReadonlySet<string>
  readonly dead: ReadonlyArray<string>
}

/** Makes the site of a repository's documents. */
export const siteOf = (root: string): Site => {
  const documents = documentsOf(root)
  const files = new Set<string>()
  const missing: Array<string> = []
  const pages = [...documents].map(([path, text]) =>
    readPage(path, text, (to) => {
      if (documents.has(to)) return posix.relative(posix.dirname(path), addressOf(to))
      if (isFile(join(root, to))) files.add(to)
      else missing.push(`${path}: ${to} isn't there`)
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

/** Writes the site of a repository to a directory, and returns the links that lead nowhere. */
const writeSite = (root: string, out: string): ReadonlyArray<string> => {
  const { dead, files, texts } = siteOf(root)
  const placed = (address: string) => {
    const path = join(out, address)
    mkdirSync(dirname(path), { recursive: true })
    return path
  }
  for (const [address, text] of texts) writeFileSync(placed(address), text)
  for (const file of files) copyFileSync(join(root, file), placed(file))
  for (const name of ["site.css", "search.js"]) copyFileSync(join(import.meta.dirname, "site", name), placed(name))
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
  const dead = writeSite(root, resolve(root, out))
  for (const each of dead) process.stderr.write(`dead link: ${each}\n`)
  if (dead.length > 0) process.exitCode = 1
}
