import type { ContentsResponse } from "@slipway/client/forge"
import { type Html, html } from "../../html/Html.ts"
import { linkButton } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { bytes } from "../../layout/time.ts"
import { editorPath, type Revision, revisionPath, withQuery } from "../../layout/urls.ts"
import { NotFound, page, type Visit } from "../../page/Page.ts"
import { showFile } from "./fileView.ts"
import { loadRepository, type Offers, repositoryOperations } from "./loadRepository.ts"
import { readmeCard, readmeOf } from "./readme.ts"
import { namedIn, type Place, placeIn, refNamesIn, refOf, repositoryIn } from "./revision.ts"
import { breadcrumb, folderTable, latestCommit, revisionMenu } from "./tree.ts"

const includes = "file_content,lfs_metadata,commit_metadata,commit_message"

const contentsAt = async ({ forge }: Visit, params: ReturnType<typeof namedIn>, path: string, ref: string) =>
  path === ""
    ? forge.repository.contents.listExtended({ params, query: { ref, includes } })
    : forge.repository.contents.readExtended({ params: { ...params, "*": path }, query: { ref, includes } })

const commitsAt = async ({ forge }: Visit, params: ReturnType<typeof namedIn>, path: string, ref: string) => {
  const pages = forge.repository.commit
    .list({ params, query: { sha: ref, limit: 1, files: "false", stat: "false", ...(path === "" ? {} : { path }) } })
    .pages()
  const { value } = await pages.next()
  return { commit: value?.rows[0], total: value?.total }
}

/** The API operations that the pages of folders and files use. */
export const sourceOperations = [
  ...repositoryOperations,
  "repository.git.ref.read",
  "repository.contents.listExtended",
  "repository.contents.readExtended",
  "repository.contents.read",
  "repository.commit.list"
] as const

/** Loads the folder or file of a revision, with its repository. */
export const loadPlace = async (visit: Visit, { path, revision }: Place) => {
  const params = namedIn(visit)
  const ref = refOf(revision)
  const [contents, latest, branches, tags] = await Promise.all([
    contentsAt(visit, params, path, ref),
    commitsAt(visit, params, path, ref),
    refNamesIn(visit, "branch"),
    refNamesIn(visit, "tag")
  ])
  const entries = contents.dir_contents
  const readme = entries === null ? undefined : await readmeOf(visit, params, ref, entries)
  return { contents, latest, branches, tags, readme }
}

/** The access checks that decide which buttons of folders and files are shown. */
export const sourceOffers = {
  createFile: ["repository.contents.create", "repo"],
  uploadFiles: ["repository.contents.change", "repo"],
  editFile: ["repository.contents.edit", "repo"],
  deleteFile: ["repository.contents.delete", "repo"]
} as const

/** The results of the access checks: whether the viewer may create, upload, edit and delete files. */
export type SourceOffers = Offers<keyof typeof sourceOffers>

/** Renders the buttons of a folder: the file finder, and on a branch the buttons that add files. */
export const folderButtons = (visit: Visit, may: SourceOffers, revision: Revision, path: string): Html => {
  const { files } = visit.texts
  const name = repositoryIn(visit)
  const isBranch = revision.kind === "branch"
  return html`${linkButton(revisionPath(name, "find", revision), files.findFile, "search")}${isBranch && may.createFile && linkButton(editorPath(name, "_new", revision.name, path), files.newFile, "plus")}${isBranch && may.uploadFiles && linkButton(editorPath(name, "_upload", revision.name, path), files.uploadFiles)}`
}

const fileHeader = (
  visit: Visit,
  may: SourceOffers,
  file: ContentsResponse,
  revision: Revision,
  lines: number | undefined,
  hasSource: boolean
) => {
  const { code, files } = visit.texts
  const repository = repositoryIn(visit)
  const isBranch = revision.kind === "branch"
  const isSource = visit.query.get("display") === "source"
  return html`<span class="small soft">${lines !== undefined && html`${code.lines(lines)} · `}${bytes(visit, file.size)}</span><span class="row push">${hasSource && linkButton(withQuery(visit.url, { display: isSource ? undefined : "source" }), isSource ? code.rendered : code.source, isSource ? "eye" : "code")}${linkButton(revisionPath(repository, "raw", revision, file.path), code.raw)}${linkButton(revisionPath(repository, "blame", revision, file.path), files.blame)}${linkButton(revisionPath(repository, "commits", revision, file.path), code.history, "history")}${isBranch && may.editFile && file.type === "file" && linkButton(editorPath(repository, "_edit", revision.name, file.path), files.edit, "pencil")}${isBranch && may.deleteFile && linkButton(editorPath(repository, "_delete", revision.name, file.path), files.delete, "trash", "danger")}</span>`
}

const load = (kind: Revision["kind"]) => async (visit: Visit) => {
  const [{ may, repository }, place] = await Promise.all([loadRepository(visit, sourceOffers), placeIn(visit, kind)])
  const loaded = await loadPlace(visit, place)
  const file = loaded.contents.file_contents
  if (file === null && loaded.contents.dir_contents === null) throw new NotFound()
  const shown = file === null ? undefined : await showFile(visit, repositoryIn(visit), place.revision, file)
  const readme = loaded.readme === undefined ? undefined : await readmeCard(visit, place.revision, loaded.readme)
  return { repository, may, place, loaded, file, shown, readme }
}

type Loaded = Awaited<ReturnType<ReturnType<typeof load>>>

const view = ({ file, loaded, may, place, readme, repository, shown }: Loaded, visit: Visit) => {
  const { path, revision } = place
  const name = repositoryIn(visit)
  const { branches, latest, tags } = loaded
  return {
    title: `${path === "" ? revision.name : path} · ${repository.full_name}`,
    frame: repositoryFrame(repository, "code", visit, may),
    body: html`<div class="title">${revisionMenu(visit, name, revision, path, branches, tags)}${breadcrumb(visit, name, revision, path)}${file === null && html`<span class="push row">${folderButtons(visit, may, revision, path)}</span>`}</div>
<section class="card" aria-label="${visit.texts.code.lastCommit}"><header>${latestCommit(visit, name, revision, latest.commit, latest.total)}</header>${file === null && folderTable(visit, name, revision, path, loaded.contents.dir_contents ?? [])}</section>
${file !== null && shown !== undefined && html`<section class="card" aria-label="${visit.texts.code.content}"><header>${fileHeader(visit, may, file, revision, shown.lines, shown.hasSource === true)}</header>${shown.content}</section>`}${readme ?? html``}`
  }
}

const sourcePage = (kind: Revision["kind"]) =>
  page({ path: `/:owner/:repo/src/${kind}/*`, operations: sourceOperations, load: load(kind), view })

/** `/{owner}/{repo}/src/branch|tag|commit/{ref}/{path}`: a folder or a file. */
export const sourcePages = [sourcePage("branch"), sourcePage("tag"), sourcePage("commit")]
