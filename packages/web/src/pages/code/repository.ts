import type { Repository } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { type Html, html, nothing, safeHref } from "../../html/Html.ts"
import { copyField, linkButton } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { editorPath, repositoryPath } from "../../layout/urls.ts"
import { page, Redirect, type Visit } from "../../page/Page.ts"
import { interestBar, interestOffers, interestOperations, loadInterests, submitInterest } from "./interests.ts"
import { loadRepository } from "./loadRepository.ts"
import { readmeCard } from "./readme.ts"
import { namedIn, type Place, repositoryIn } from "./revision.ts"
import { folderButtons, loadPlace, sourceOffers, sourceOperations } from "./source.ts"
import { folderTable, latestCommit, revisionMenu } from "./tree.ts"

const cloneMenu = (visit: Visit, { clone_url: http, ssh_url: ssh }: Repository): Html => {
  const { code } = visit.texts
  return html`<details class="menu right"><summary class="button primary">${icon("download")}${code.clone}</summary><div><h2>HTTP</h2>${copyField(visit, code.cloneWith("HTTP"), http)}${ssh !== "" && html`<h2>SSH</h2>${copyField(visit, code.cloneWith("SSH"), ssh)}`}</div></details>`
}

const levelOf = ({ permissions: { admin, push } }: Repository): "admin" | "write" | "read" =>
  admin ? "admin" : push ? "write" : "read"

const about = (visit: Visit, { languages, release, repository }: Loaded): Html => {
  const { texts } = visit
  const { code } = texts
  const { licenses, topics } = repository
  const website = safeHref(repository.website)
  const total = Object.values(languages).reduce((sum, each) => sum + each, 0)
  const share = (size: number) =>
    `${new Intl.NumberFormat(visit.language, { maximumFractionDigits: 1 }).format((size / total) * 100)} %`
  return html`<aside><section><h2>${code.about}</h2><p>${repository.description === "" ? html`<span class="soft">${code.noDescription}</span>` : repository.description}</p>
${website !== undefined && html`<p>${icon("link")} <a href="${website}" rel="nofollow noopener">${repository.website}</a></p>`}
${topics.length > 0 && html`<p class="row">${topics.map((topic) => html`<a class="badge info topic" href="/explore/repos?${String(new URLSearchParams({ q: topic }))}">${topic}</a>`)}</p>`}
<p class="small soft row"><span>${icon("star")} ${texts.words.stars(repository.stars_count)}</span><span>${icon("repo-forked")} ${texts.words.forks(repository.forks_count)}</span></p></section>
${release !== undefined && html`<section><h2>${code.latestRelease}</h2><a href="${repositoryPath(repositoryIn(visit))}/releases/tag/${encodeURIComponent(release.tag_name)}">${release.name === "" ? release.tag_name : release.name}</a> <span class="soft small">${time(visit, release.published_at ?? release.created_at)}</span></section>`}
${licenses.length > 0 && html`<section><h2>${code.license}</h2>${icon("law")} ${licenses.join(", ")}</section>`}
${
  total > 0 &&
  html`<section><h2>${code.languages}</h2><ul class="small">${Object.entries(languages)
    .slice(0, 6)
    .map(([name, size]) => html`<li>${name} <span class="soft">${share(size)}</span></li>`)}</ul></section>`
}
${visit.viewer !== undefined && html`<section><h2>${code.yourAccess}</h2>${code.accessLevels[levelOf(repository)]}</section>`}</aside>`
}

/** The access checks that decide which buttons of the home page of a repository are shown. */
const offered = { ...sourceOffers, ...interestOffers } as const

const load = async (visit: Visit) => {
  const { forge } = visit
  const params = namedIn(visit)
  const [{ may, repository }, interests] = await Promise.all([loadRepository(visit, offered), loadInterests(visit)])
  if (!repository.has_code)
    throw new Redirect(`${repositoryPath(repositoryIn(visit))}/${repository.has_issues ? "issues" : "releases"}`)
  if (repository.empty)
    return {
      repository,
      may,
      interests,
      languages: {},
      release: undefined,
      place: undefined,
      loaded: undefined,
      readme: undefined
    }
  const place: Place = { revision: { kind: "branch", name: repository.default_branch }, path: "" }
  const [loaded, languages, release] = await Promise.all([
    loadPlace(visit, place),
    forge.repository.language.list({ params }),
    repository.release_counter > 0 ? forge.repository.release.readLatest({ params }).result() : undefined
  ])
  const readme = loaded.readme === undefined ? undefined : await readmeCard(visit, place.revision, loaded.readme)
  return {
    repository,
    may,
    interests,
    languages,
    release: release?.ok === true ? release.value : undefined,
    place,
    loaded,
    readme
  }
}

type Loaded = Awaited<ReturnType<typeof load>>

const emptyRepository = (visit: Visit, { may, repository }: Loaded): Html => {
  const { code } = visit.texts
  return html`<section class="card"><header><h2>${code.emptyTitle}</h2></header><div class="body"><p>${code.emptyHint}</p>
<pre class="message">git remote add origin ${repository.clone_url}
git push --set-upstream origin ${repository.default_branch}</pre>${may.createFile && html`<p>${linkButton(editorPath(repositoryIn(visit), "_new", repository.default_branch), visit.texts.files.newFile, "plus")}</p>`}</div></section>`
}

const filesOf = (visit: Visit, data: Loaded): Html => {
  const { loaded, may, place, readme, repository } = data
  if (loaded === undefined || place === undefined) return emptyRepository(visit, data)
  const name = repositoryIn(visit)
  const { branches, latest, tags } = loaded
  const { code } = visit.texts
  return html`<div class="title">${revisionMenu(visit, name, place.revision, "", branches, tags)}<span class="row small"><a href="${repositoryPath(name)}/branches">${icon("git-branch")} ${code.branchesCount(branches.length)}</a><a href="${repositoryPath(name)}/tags">${icon("tag")} ${code.tagsCount(tags.length)}</a><a href="${repositoryPath(name)}/deployments">${icon("play")} ${visit.texts.deployments.deployments}</a>${visit.codeSearch && html`<a href="${repositoryPath(name)}/search">${icon("search")} ${visit.texts.codeSearch.title}</a>`}</span><span class="push row">${folderButtons(visit, may, place.revision, "")}${cloneMenu(visit, repository)}</span></div>
<section class="card" aria-label="${code.files}"><header>${latestCommit(visit, name, place.revision, latest.commit, latest.total)}</header>${folderTable(visit, name, place.revision, "", loaded.contents.dir_contents ?? [])}</section>${readme ?? nothing}`
}

/** Returns the heading and tabs of the home page of a repository, with the buttons to star, watch and fork. */
const homeFrame = (visit: Visit, { interests, may, repository }: Loaded) => {
  const frame = repositoryFrame(repository, "code", visit, may)
  return { ...frame, heading: html`${frame.heading}${interestBar(visit, repository, interests, may)}` }
}

/** `/{owner}/{repo}`: the files of the default branch, its README, and the description of the repository. */
export const repositoryPage = page({
  path: "/:owner/:repo",
  operations: [...sourceOperations, ...interestOperations, "repository.language.list", "repository.release.readLatest"],
  load,
  submit: submitInterest,
  view: (data, visit) => ({
    title: data.repository.full_name,
    frame: homeFrame(visit, data),
    feeds: repositoryPath(repositoryIn(visit)),
    body: html`${data.repository.archived && html`<p class="alert warn">${visit.texts.code.archivedNote}</p>`}<div class="split"><div>${filesOf(visit, data)}</div>${about(visit, data)}</div>`
  })
})
