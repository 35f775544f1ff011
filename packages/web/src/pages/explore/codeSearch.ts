import { type CodeSearchResult, ServiceError } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { plainLines } from "../../code/Highlighter.ts"
import { type Html, html } from "../../html/Html.ts"
import { empty, pageNumber, pagination } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { repositoryPath, revisionPath } from "../../layout/urls.ts"
import { requireAllowed } from "../../page/decisions.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations, resourceOf } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { exploreFrame } from "./explore.ts"

/** The number of files on a page of results: each is read from git. */
const filesPerPage = 10

/** A file that a code search found, with its highlighted lines. */
interface ShownFile {
  readonly file: CodeSearchResult
  readonly lines: ReadonlyArray<Html>
}

/** The results of a code search. `invalid` is true if the query has no word. */
interface Results {
  readonly files: ReadonlyArray<ShownFile>
  readonly total: number | undefined
  readonly invalid: boolean
}

const queryOf = ({ query }: Visit, name: "language" | "path" | "q"): string =>
  (query.get(name) ?? "").trim().slice(0, name === "language" ? 100 : 255)

const searchQuery = (visit: Visit) => {
  const [language, path] = [queryOf(visit, "language"), queryOf(visit, "path")]
  return {
    q: queryOf(visit, "q"),
    ...(language === "" ? {} : { language }),
    ...(path === "" ? {} : { path }),
    page: pageNumber(visit),
    limit: filesPerPage
  }
}

/** Highlights the shown lines of a file, as one text. */
const highlighted = async (visit: Visit, { lines, path }: CodeSearchResult): Promise<ReadonlyArray<Html>> => {
  const text = lines.map((line) => line.text).join("\n")
  const name = path.slice(path.lastIndexOf("/") + 1)
  const tokens = await visit.highlight(text, name).catch(() => plainLines(text))
  return lines.map(({ text }, at) =>
    tokens[at] === undefined
      ? html`${text}`
      : html`${tokens[at].map(([classes, part]) => (classes === "" ? html`${part}` : html`<span class="${classes}">${part}</span>`))}`
  )
}

type Pages = AsyncIterator<{ readonly rows: ReadonlyArray<CodeSearchResult>; readonly total: number | undefined }>

/** Reads the first page of an iterator of results. A query without a word gives no results. */
const resultsOf = async (visit: Visit, pages: Pages): Promise<Results> => {
  try {
    const { value } = await pages.next()
    const rows: ReadonlyArray<CodeSearchResult> = value?.rows ?? []
    const files = await Promise.all(rows.map(async (file) => ({ file, lines: await highlighted(visit, file) })))
    return { files, total: value?.total, invalid: false }
  } catch (error) {
    if (error instanceof ServiceError && error.status === 422) return { files: [], total: 0, invalid: true }
    throw error
  }
}

const searchForm = (visit: Visit): Html => {
  const t = visit.texts.codeSearch
  return html`<div class="title"><form class="filters" role="search" aria-label="${t.title}" action="${visit.url.pathname}"><input type="search" name="q" aria-label="${t.query}" placeholder="${t.query}" value="${queryOf(visit, "q")}" maxlength="255"><input class="short" name="language" aria-label="${t.language}" placeholder="${t.language}, ${t.languageHint}" value="${queryOf(visit, "language")}" maxlength="100"><input class="short" name="path" aria-label="${t.path}" placeholder="${t.path}, ${t.pathHint}" value="${queryOf(visit, "path")}" maxlength="255"><button class="button">${icon("search")}${t.search}</button></form></div>`
}

const fileCard = (visit: Visit, { file, lines }: ShownFile, isNamed: boolean): Html => {
  const t = visit.texts.codeSearch
  const { language, match_count: count, path, repository } = file
  const source = revisionPath(repository, "src", { kind: "branch", name: repository.default_branch }, path)
  const label = `${repository.full_name}/${path}`
  const rows = lines.map((line, at) => {
    const { match = false, number = 0 } = file.lines[at] ?? {}
    const isAfterGap = at > 0 && file.lines[at - 1]?.number !== number - 1
    return html`${isAfterGap && html`<tr class="gap"><td></td><td>⋯</td></tr>`}<tr${match && html` class="match"`}><td><a href="${source}#L${number}" data-line="${number}" aria-label="${t.line(number)}"></a></td><td>${line}</td></tr>`
  })
  return html`<section class="card found" aria-label="${label}"><header><h3 class="mono">${isNamed && html`<a href="${repositoryPath(repository)}">${repository.full_name}</a> <span class="soft">/</span> `}<a href="${source}">${path}</a></h3><span class="row small soft">${language !== "" && html`<span class="badge">${language}</span>`}${t.matches(count)}</span></header>${lines.length > 0 && html`<div class="code mono" tabindex="0" role="region" aria-label="${t.matches(count)}: ${label}"><table><tbody>${rows}</tbody></table></div>`}</section>`
}

const resultList = (visit: Visit, { files, invalid, total }: Results, isNamed: boolean): Html => {
  const t = visit.texts.codeSearch
  if (queryOf(visit, "q") === "") return html`<p class="soft">${t.hint}</p>`
  if (invalid) return html`<p class="alert warn">${t.invalid}</p>`
  const isPartlyCompared = total === undefined && queryOf(visit, "q").includes('"')
  return html`<h2>${total === undefined ? t.results : t.found(total)}</h2>
${!isNamed && files.some(({ file }) => file.incomplete) && html`<p class="alert">${t.incomplete}</p>`}
${isPartlyCompared && html`<p class="alert">${t.partlyCompared}</p>`}
${files.length === 0 ? html`<section class="card">${empty(t.noneFound)}</section>` : files.map((file) => fileCard(visit, file, isNamed))}${pagination(visit, files.length === filesPerPage)}`
}

const nothingFound: Results = { files: [], total: 0, invalid: false }

/** `/explore/code?q=`: searches the code of all repositories that the viewer can read. */
export const exploreCodePage = page({
  path: "/explore/code",
  operations: ["code.search", "access.check"],
  load: async (visit) => {
    await requireAllowed(visit, ["code.search", "site"])
    if (queryOf(visit, "q") === "") return nothingFound
    return resultsOf(visit, visit.forge.code.search({ query: searchQuery(visit) }).pages())
  },
  view: (results, visit) => ({
    title: visit.texts.codeSearch.title,
    frame: exploreFrame(visit, "code"),
    body: html`${searchForm(visit)}${resultList(visit, results, true)}`
  })
})

/** `/{owner}/{repo}/search?q=`: searches the code of the default branch of a repository. */
export const searchCodePage = page({
  path: "/:owner/:repo/search",
  operations: [...repositoryOperations, "repository.code.search"],
  load: async (visit) => {
    const { name, owner } = repositoryIn(visit)
    const [{ may, repository }] = await Promise.all([
      loadRepository(visit),
      requireAllowed(visit, ["repository.code.search", resourceOf("repo", owner, name)])
    ])
    const search = () =>
      visit.forge.repository.code.search({ params: namedIn(visit), query: searchQuery(visit) }).pages()
    return { may, repository, results: queryOf(visit, "q") === "" ? nothingFound : await resultsOf(visit, search()) }
  },
  view: ({ may, repository, results }, visit) => ({
    title: `${visit.texts.codeSearch.title} · ${repository.full_name}`,
    frame: repositoryFrame(repository, "code", visit, may),
    body: html`${searchForm(visit)}${resultList(visit, results, false)}`
  })
})
