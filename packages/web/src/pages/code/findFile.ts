import type { FoundFile } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { html } from "../../html/Html.ts"
import { empty, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { type Revision, revisionPath } from "../../layout/urls.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "./loadRepository.ts"
import { namedIn, placeIn, refOf, repositoryIn } from "./revision.ts"

const kinds = ["branch", "tag", "commit"] as const

/** Returns the revision of a path such as `branch/main`, or only `main`. */
const revisionIn = async (visit: Visit): Promise<Revision> => {
  const rest = visit.params["*"] ?? ""
  const kind = kinds.find((each) => rest.startsWith(`${each}/`))
  const { path, revision } = await placeIn(
    visit,
    kind ?? "branch",
    kind === undefined ? rest : rest.slice(kind.length + 1)
  )
  if (path !== "") throw new NotFound()
  return revision
}

/** `/{owner}/{repo}/find/{ref}`: finds files by a substring of their path. */
export const findFilePage = page({
  path: "/:owner/:repo/find/*",
  operations: [...repositoryOperations, "repository.git.ref.read", "repository.file.search"],
  load: async (visit) => {
    const params = namedIn(visit)
    const [{ may, repository }, revision] = await Promise.all([loadRepository(visit), revisionIn(visit)])
    const query = {
      ref: refOf(revision),
      q: visit.query.get("q")?.trim().slice(0, 255) ?? "",
      page: pageNumber(visit),
      limit: rowsPerPage
    }
    const { value } = await visit.forge.repository.file.search({ params, query }).pages().next()
    const files: ReadonlyArray<FoundFile> = value?.rows ?? []
    const total: number = value?.total ?? 0
    return { repository, may, revision, files, total }
  },
  view: ({ files, may, repository, revision, total }, visit) => {
    const texts = visit.texts.files
    const name = repositoryIn(visit)
    return {
      title: `${texts.findTitle} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "code", visit, may),
      body: html`<div class="title"><h2>${texts.findTitle}</h2><span class="badge">${revision.name}</span></div>
<form class="filters" role="search" aria-label="${texts.findTitle}" action="${visit.url.pathname}"><input type="search" name="q" aria-label="${texts.query}" placeholder="${texts.query}" value="${visit.query.get("q") ?? ""}" maxlength="255"><button class="button">${icon("search")}${texts.find}</button></form>
<section class="card" aria-label="${texts.files}"><header><b>${texts.found(total)}</b></header>${
        files.length === 0
          ? empty(texts.noneFound)
          : html`<ul class="rows">${files.map(({ path, type }) => html`<li>${icon(type === "commit" ? "file-submodule" : "file", "soft")}<a class="grow mono" href="${revisionPath(name, "src", revision, path)}">${path}</a></li>`)}</ul>`
      }</section>${pagination(visit, files.length === rowsPerPage)}`
    }
  }
})
