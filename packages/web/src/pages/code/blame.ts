import type { Blame, Commit } from "@slipway/client/forge"
import { plainLines } from "../../code/Highlighter.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { empty, linkButton } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { type Revision, revisionPath, withQuery } from "../../layout/urls.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { linesPerPage } from "./fileView.ts"
import { loadRepository, repositoryOperations } from "./loadRepository.ts"
import { namedIn, placeIn, refOf, repositoryIn } from "./revision.ts"
import { breadcrumb, commitPath, subjectOf } from "./tree.ts"

const startIn = ({ query }: Visit): number => {
  const asked = Number(query.get("start"))
  return Number.isSafeInteger(asked) && asked > 0 ? asked : 1
}

const load = (kind: Revision["kind"]) => async (visit: Visit) => {
  const { forge } = visit
  const params = namedIn(visit)
  const [{ may, repository }, place] = await Promise.all([loadRepository(visit), placeIn(visit, kind)])
  const { path, revision } = place
  if (path === "") throw new NotFound()
  const ref = refOf(revision)
  const from = startIn(visit)
  const [contents, blame] = await Promise.all([
    forge.repository.contents.readExtended({
      params: { ...params, "*": path },
      query: { ref, includes: "file_content" }
    }),
    forge.repository
      .blame({ params: { ...params, "*": path }, query: { ref, from: String(from), count: String(linesPerPage) } })
      .result()
  ])
  if (!blame.ok && blame.error.status !== 422) throw blame.error
  const file = contents.file_contents
  if (file === null) throw new NotFound()
  const text = Buffer.from(file.content ?? "", "base64")
    .toString("utf8")
    .replace(/\n$/, "")
  const lines = blame.ok ? await visit.highlight(text, file.name, file.sha).catch(() => plainLines(text)) : []
  return { repository, may, place, blame: blame.ok ? blame.value : undefined, lines, from }
}

const commitCell = (visit: Visit, commit: Commit | undefined, count: number): Html => {
  if (commit === undefined) return html`<td rowspan="${count}"></td>`
  const name = repositoryIn(visit)
  return html`<td class="blame small" rowspan="${count}"><div class="cut"><a href="${commitPath(name, commit.sha)}" title="${subjectOf(commit.commit.message)}">${subjectOf(commit.commit.message)}</a></div>${count > 1 && html`<div class="soft cut">${commit.author?.login ?? commit.commit.author.name} · ${time(visit, commit.commit.author.date)}</div>`}</td>`
}

const table = (visit: Visit, blame: Blame, lines: Awaited<ReturnType<Visit["highlight"]>>, path: string): Html => {
  const { code } = visit.texts
  const commits = new Map(blame.commits.map((commit) => [commit.sha, commit]))
  const rows = blame.ranges.flatMap(({ count, from, sha }) =>
    Array.from({ length: count }, (_, at) => {
      const line = from + at
      const tokens = lines[line - 1] ?? []
      return html`<tr id="L${line}">${at === 0 && commitCell(visit, commits.get(sha), count)}<td class="line"><a href="#L${line}" data-line="${line}" aria-label="${code.line(line)}"></a></td><td>${tokens.map(([classes, part]) => (classes === "" ? html`${part}` : html`<span class="${classes}">${part}</span>`))}</td></tr>`
    })
  )
  return html`<div class="code mono" tabindex="0" role="region" aria-label="${path}"><table><tbody>${rows}</tbody></table></div>`
}

const parts = (visit: Visit, { total_lines: total }: Blame, from: number): Html => {
  if (total <= linesPerPage) return nothing
  const { code } = visit.texts
  const last = Math.min(from + linesPerPage - 1, total)
  const to = (line: number, label: string) =>
    linkButton(withQuery(visit.url, { start: line <= 1 ? undefined : String(line) }), label)
  return html`<div class="body row"><span class="soft">${code.showing(from, last, total)}</span>${from > 1 && to(from - linesPerPage, code.earlierLines)}${last < total && to(last + 1, code.laterLines)}</div>`
}

const blamePage = (kind: Revision["kind"]) =>
  page({
    path: `/:owner/:repo/blame/${kind}/*`,
    operations: [
      ...repositoryOperations,
      "repository.git.ref.read",
      "repository.contents.readExtended",
      "repository.blame"
    ],
    load: load(kind),
    view: ({ blame, from, lines, may, place: { path, revision }, repository }, visit) => {
      const { code, files } = visit.texts
      const name = repositoryIn(visit)
      const content =
        blame === undefined
          ? empty(files.blameNot)
          : html`${parts(visit, blame, from)}${table(visit, blame, lines, path)}${parts(visit, blame, from)}`
      return {
        title: `${files.blame} · ${path} · ${repository.full_name}`,
        frame: repositoryFrame(repository, "code", visit, may),
        body: html`<div class="title">${breadcrumb(visit, name, revision, path)}</div>
<section class="card" aria-label="${files.blame}"><header><h2>${files.blame}</h2><span class="row push">${linkButton(revisionPath(name, "src", revision, path), files.normal)}${linkButton(revisionPath(name, "commits", revision, path), code.history, "history")}</span></header>${content}</section>`
      }
    }
  })

/** `/{owner}/{repo}/blame/branch|tag|commit/{ref}/{path}`: a file with the commit that last changed each line. */
export const blamePages = [blamePage("branch"), blamePage("tag"), blamePage("commit")]
