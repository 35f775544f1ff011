import type { Commit } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { type Revision, repositoryPath, revisionPath } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "./loadRepository.ts"
import { namedIn, placeIn, refNamesIn, refOf, repositoryIn } from "./revision.ts"
import { authorOf, breadcrumb, commitPath, revisionMenu, shortSha, subjectOf } from "./tree.ts"

/** Renders a list of commits. Each has a link to its files, or to the given path in it. */
export const commitList = (visit: Visit, commits: ReadonlyArray<Commit>, path = ""): Html => {
  const { code } = visit.texts
  const name = repositoryIn(visit)
  return html`<ul class="rows">${commits.map(
    (commit) =>
      html`<li><div class="grow"><div class="cut"><a href="${commitPath(name, commit.sha)}"><b>${subjectOf(commit.commit.message)}</b></a></div><div class="small soft">${authorOf(commit)} ${code.committed} ${time(visit, commit.commit.committer.date)}</div></div>${commit.commit.verification?.verified === true && html`<span class="badge ok">${code.signed}</span>`}${shortSha(name, commit.sha)}<a class="small wide-only" href="${revisionPath(name, "src", { kind: "commit", name: commit.sha }, path)}">${code.browse}</a></li>`
  )}</ul>`
}

const load = (kind: Revision["kind"]) => async (visit: Visit) => {
  const { forge } = visit
  const params = namedIn(visit)
  const [{ may, repository }, place] = await Promise.all([loadRepository(visit), placeIn(visit, kind)])
  const { path, revision } = place
  const query = {
    sha: refOf(revision),
    page: pageNumber(visit),
    limit: rowsPerPage,
    stat: "false",
    files: "false",
    ...(path === "" ? {} : { path })
  } as const
  const [commits, branches, tags] = await Promise.all([
    forge.repository.commit.list({ params, query }),
    refNamesIn(visit, "branch"),
    refNamesIn(visit, "tag")
  ])
  return { repository, may, place, commits, branches, tags }
}

const commitsPage = (kind: Revision["kind"]) =>
  page({
    path: `/:owner/:repo/commits/${kind}/*`,
    operations: [...repositoryOperations, "repository.commit.list", "repository.git.ref.read"],
    load: load(kind),
    view: ({ branches, commits, may, place: { path, revision }, repository, tags }, visit) => {
      const name = repositoryIn(visit)
      const { code } = visit.texts
      return {
        title: `${code.commits} · ${repository.full_name}`,
        frame: repositoryFrame(repository, "code", visit, may),
        body: html`<div class="title">${revisionMenu(visit, name, revision, path, branches, tags)}${path !== "" && breadcrumb(visit, name, revision, path)}<span class="push">${linkButton(`${repositoryPath(name)}/graph`, code.graph, "git-branch")}</span></div>
<section class="card" aria-label="${code.commits}"><header><h2>${code.commits}</h2></header>${
          commits.length === 0 ? empty(code.noCommits) : commitList(visit, commits, path)
        }</section>${pagination(visit, commits.length === rowsPerPage)}`
      }
    }
  })

/**
 * `/{owner}/{repo}/commits/branch|tag|commit/{ref}/{path}`: the history of a revision, or of a file or folder in it.
 */
export const commitsPages = [commitsPage("branch"), commitsPage("tag"), commitsPage("commit")]
