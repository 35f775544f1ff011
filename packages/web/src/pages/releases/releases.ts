import type { Release, Repository } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { checkField, formTo, problemSummary, textArea, textField } from "../../forms/fields.ts"
import { type Html, html, nothing, safeHref } from "../../html/Html.ts"
import { empty, linkButton, pageNumber, pagination } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { bytes, time } from "../../layout/time.ts"
import { pathOf, repositoryPath, revisionPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { commentPlace, userLink } from "../issues/issueParts.ts"

const releasesPerPage = 10

const releasePath = (visit: Visit, tag: string): string =>
  `${repositoryPath(repositoryIn(visit))}/releases/tag/${encodeURIComponent(tag)}`

interface Noted {
  readonly release: Release
  readonly notes: Html
}

const noted = async (visit: Visit, { default_branch: branch }: Repository, release: Release): Promise<Noted> => ({
  release,
  notes: release.body === "" ? nothing : await visit.markdown(release.body, commentPlace(repositoryIn(visit), branch))
})

const downloads = (visit: Visit, { assets, tag_name: tag }: Release): Html => {
  const { releases } = visit.texts
  const archive = `${repositoryPath(repositoryIn(visit))}/archive/${encodeURIComponent(tag)}`
  return html`<h3>${releases.files}</h3><ul class="downloads">${assets.map((asset) => {
    const to = safeHref(asset.browser_download_url)
    return html`<li>${icon("package")} ${to === undefined ? html`<span>${asset.name}</span>` : html`<a href="${to}" rel="nofollow">${asset.name}</a>`} <span class="small soft">${bytes(visit, asset.size)}</span></li>`
  })}<li>${icon("download")} <a href="${archive}.zip" rel="nofollow">${releases.sourceZip}</a></li><li>${icon("download")} <a href="${archive}.tar.gz" rel="nofollow">${releases.sourceTar}</a></li></ul>`
}

const releaseCard = (visit: Visit, { notes, release }: Noted): Html => {
  const { releases } = visit.texts
  const { author, draft, name, prerelease, published_at: at, tag_name: tag } = release
  const title = name === "" ? tag : name
  return html`<section class="card" aria-label="${title}"><header><h2><a href="${releasePath(visit, tag)}">${title}</a></h2>${draft && html`<span class="badge warn">${releases.draft}</span>`}${prerelease && html`<span class="badge">${releases.prerelease}</span>`}</header><div class="body"><p class="row small soft"><span>${userLink(author)} ${releases.published} ${time(visit, at)}</span>${!draft && html`<a href="${revisionPath(repositoryIn(visit), "src", { kind: "tag", name: tag })}">${icon("tag")} ${tag}</a>`}</p>
<div class="markdown">${release.body === "" ? html`<p class="soft">${releases.noNotes}</p>` : notes}</div>${!draft && downloads(visit, release)}</div></section>`
}

/** `/{owner}/{repo}/releases`: the releases of a repository with notes and downloads. */
const releasesPage = page({
  path: "/:owner/:repo/releases",
  operations: [...repositoryOperations, "repository.release.list"],
  load: async (visit) => {
    const params = namedIn(visit)
    const [{ may, repository }, list] = await Promise.all([
      loadRepository(visit, { create: ["repository.release.create", "repo"] }),
      visit.forge.repository.release.list({ params, query: { page: pageNumber(visit), limit: releasesPerPage } })
    ])
    return { repository, may, list: await Promise.all(list.map((release) => noted(visit, repository, release))) }
  },
  view: ({ list, may, repository }, visit) => {
    const { releases } = visit.texts
    const base = repositoryPath(repositoryIn(visit))
    const create = may.create ? linkButton(`${base}/releases/new`, releases.newRelease, "plus", "primary") : nothing
    return {
      title: `${releases.releases} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "releases", visit, may),
      body: html`<div class="title"><h2 class="hidden-text">${releases.releases}</h2><span class="push row">${linkButton(`${base}/tags`, releases.tags, "tag")}${create}</span></div>
${list.length === 0 ? html`<section class="card" aria-label="${releases.releases}">${empty(releases.noReleases, create)}</section>` : html`${list.map((each) => releaseCard(visit, each))}`}${pagination(visit, list.length === releasesPerPage)}`
    }
  }
})

/** `/{owner}/{repo}/releases/tag/{tag}`: one release. */
const releasePage = page({
  path: "/:owner/:repo/releases/tag/*",
  operations: [...repositoryOperations, "repository.release.readByTag"],
  load: async (visit) => {
    const params = namedIn(visit)
    const [{ may, repository }, release] = await Promise.all([
      loadRepository(visit),
      visit.forge.repository.release.readByTag({ params: { ...params, tag: visit.params["*"] ?? "" } })
    ])
    return { repository, may, shown: await noted(visit, repository, release) }
  },
  view: ({ may, repository, shown }, visit) => ({
    title: `${shown.release.name || shown.release.tag_name} · ${repository.full_name}`,
    frame: repositoryFrame(repository, "releases", visit, may),
    body: releaseCard(visit, shown)
  })
})

/** `/{owner}/{repo}/releases/new`: publishes a release with an existing tag or a new tag. */
const newReleasePage = page({
  path: "/:owner/:repo/releases/new",
  operations: [...repositoryOperations, "repository.release.create"],
  signIn: true,
  load: (visit) => loadRepository(visit),
  view: ({ may, repository }, visit) => {
    const { releases } = visit.texts
    return {
      title: `${releases.newRelease} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "releases", visit, may),
      body: html`<section class="card" aria-label="${releases.newRelease}"><header><h2>${releases.newRelease}</h2></header><div class="body">${problemSummary(visit)}${formTo(
        visit,
        visit.url.pathname,
        html`${textField(visit, { name: "tag", label: releases.tag, hint: releases.tagHint, value: visit.query.get("tag") ?? "", required: true })}
${textField(visit, { name: "target", label: releases.target, value: repository.default_branch })}
${textField(visit, { name: "title", label: releases.title })}
${textArea(visit, { name: "notes", label: releases.notes, hint: visit.texts.issues.commentHint, rows: 10 })}
${checkField(visit, { name: "prerelease", label: releases.isPrerelease })}${checkField(visit, { name: "draft", label: releases.isDraft })}
<button class="button primary">${releases.publish}</button>`
      )}</div></section>`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const tag = typed(form, "tag").trim()
    if (tag === "") return { problems: { tag: visit.texts.forms.required } }
    const target = typed(form, "target").trim()
    await visit.forge.repository.release.create({
      params: namedIn(visit),
      body: {
        tag_name: tag,
        name: typed(form, "title").trim(),
        body: typed(form, "notes"),
        prerelease: typed(form, "prerelease") === "on",
        draft: typed(form, "draft") === "on",
        ...(target === "" ? {} : { target_commitish: target })
      }
    })
    const { name, owner } = repositoryIn(visit)
    return { to: pathOf(owner, name, "releases") }
  }
})

/** The pages of releases. */
export const releasePages = [releasesPage, releasePage, newReleasePage]
