import type { Commit, ContentsResponse } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { avatar } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import {
  encodedPath,
  pathOf,
  type RepositoryName,
  type Revision,
  repositoryPath,
  revisionPath
} from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"

/** Returns the first line of a commit message. */
export const subjectOf = (message: string): string => message.split("\n", 1)[0]?.trim() ?? ""

/** Returns the path of the page of a commit. */
export const commitPath = (repository: RepositoryName, sha: string): string =>
  `${repositoryPath(repository)}/commit/${encodeURIComponent(sha)}`

/** Renders a link to a commit. Its text is the first 10 characters of the id. */
export const shortSha = (repository: RepositoryName, sha: string): Html =>
  html`<a class="mono" href="${commitPath(repository, sha)}">${sha.slice(0, 10)}</a>`

/** Renders the author of a commit: the user account if there is one, otherwise the name in the commit. */
export const authorOf = ({ author, commit }: Commit): Html =>
  author === null
    ? html`<b>${commit.author.name}</b>`
    : html`${avatar(author.avatar_url)} <a href="${pathOf(author.login)}"><b>${author.login}</b></a>`

const iconOf = {
  dir: "file-directory-fill",
  file: "file",
  submodule: "file-submodule",
  symlink: "file-symlink-file"
} as const

const entryRow = (visit: Visit, repository: RepositoryName, revision: Revision, entry: ContentsResponse): Html => {
  const { code } = visit.texts
  const kind = { dir: code.folder, file: code.file, submodule: code.submodule, symlink: code.symlink }[entry.type]
  const name =
    entry.type === "submodule"
      ? html`<span>${entry.name}</span>`
      : html`<a href="${revisionPath(repository, "src", revision, entry.path)}">${entry.name}</a>`
  const commit =
    entry.last_commit_sha === null
      ? nothing
      : html`<a href="${commitPath(repository, entry.last_commit_sha)}">${subjectOf(entry.last_commit_message ?? "")}</a>`
  return html`<tr><td><span class="file-icon">${icon(iconOf[entry.type])}</span><span class="hidden-text">${kind} </span>${name}</td><td class="soft">${commit}</td><td class="soft small">${entry.last_committer_date !== null && time(visit, entry.last_committer_date)}</td></tr>`
}

const order = ({ type }: ContentsResponse): number => (type === "dir" || type === "submodule" ? 0 : 1)

/** Renders the content of a folder as a table. Folders come first, and each entry has its last commit. */
export const folderTable = (
  visit: Visit,
  repository: RepositoryName,
  revision: Revision,
  path: string,
  entries: ReadonlyArray<ContentsResponse>
): Html => {
  const { code } = visit.texts
  const above = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""
  const parent =
    path === ""
      ? nothing
      : html`<tr><td colspan="3"><a href="${revisionPath(repository, "src", revision, above)}">.. <span class="hidden-text">${code.parent}</span></a></td></tr>`
  const sorted = entries.toSorted((one, other) => order(one) - order(other) || (one.name < other.name ? -1 : 1))
  return html`<table class="data files"><thead class="hidden-text"><tr><th scope="col">${code.name}</th><th scope="col">${code.lastCommit}</th><th scope="col">${code.lastUpdate}</th></tr></thead><tbody>${parent}${sorted.map((entry) => entryRow(visit, repository, revision, entry))}</tbody></table>`
}

/** Renders the latest commit, which is the header of a list of files. */
export const latestCommit = (
  visit: Visit,
  repository: RepositoryName,
  revision: Revision,
  commit: Commit | undefined,
  total: number | undefined
): Html => {
  if (commit === undefined) return nothing
  const { code } = visit.texts
  return html`${authorOf(commit)}<a class="grow cut soft" href="${commitPath(repository, commit.sha)}">${subjectOf(commit.commit.message)}</a>${commit.commit.verification?.verified === true && html`<span class="badge ok">${icon("verified")}${code.signed}</span>`}<span class="small soft row">${shortSha(repository, commit.sha)} ${time(visit, commit.commit.committer.date)}${total !== undefined && html` <a href="${revisionPath(repository, "commits", revision)}">${icon("history")} ${code.commitsCount(total)}</a>`}</span>`
}

/** Renders a menu of branches and tags. Each links to the same path at that revision. */
export const revisionMenu = (
  visit: Visit,
  repository: RepositoryName,
  current: Revision,
  path: string,
  branches: ReadonlyArray<string>,
  tags: ReadonlyArray<string>
): Html => {
  const { code } = visit.texts
  const link = (kind: "branch" | "tag", name: string): Html =>
    html`<a href="${revisionPath(repository, "src", { kind, name }, path)}"${current.kind === kind && current.name === name && html` aria-current="true"`}>${icon(kind === "branch" ? "git-branch" : "tag")}<span class="cut">${name}</span></a>`
  const shown = current.kind === "commit" ? current.name.slice(0, 10) : current.name
  return html`<details class="menu"><summary class="button" aria-label="${code.switchBranch}: ${shown}">${icon(current.kind === "tag" ? "tag" : "git-branch")}<span class="cut">${shown}</span>${icon("chevron-down")}</summary><div>
<h2>${code.branches}</h2>${branches.map((name) => link("branch", name))}
${tags.length > 0 && html`<h2>${code.tags}</h2>`}${tags.map((name) => link("tag", name))}</div></details>`
}

/** Renders the path of a file or folder, with a link for each segment. */
export const breadcrumb = ({ texts }: Visit, repository: RepositoryName, revision: Revision, path: string): Html => {
  const parts = path.split("/")
  return html`<nav class="grow" aria-label="${texts.layout.breadcrumb}"><ol class="crumbs"><li><a href="${revisionPath(repository, "src", revision)}">${repository.name}</a></li>${parts.map(
    (part, at) =>
      at === parts.length - 1
        ? html`<li aria-current="page">${part}</li>`
        : html`<li><a href="${revisionPath(repository, "src", revision, parts.slice(0, at + 1).join("/"))}">${part}</a></li>`
  )}</ol></nav>`
}

/** Returns the location from which relative links in a Markdown file start. */
export const markdownPlace = (repository: RepositoryName, { kind, name }: Revision, path: string) => ({
  repository: repositoryPath(repository),
  tree: `${kind}/${encodedPath(name)}`,
  folder: path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""
})
