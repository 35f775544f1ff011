import { icon } from "../../assets/icons.ts"
import { type Html, html } from "../../html/Html.ts"
import { empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame } from "../../layout/frames.ts"
import { time } from "../../layout/time.ts"
import { type RepositoryName, repositoryPath, revisionPath } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"
import { loadRepository, repositoryOperations } from "./loadRepository.ts"
import { namedIn, repositoryIn } from "./revision.ts"
import { commitPath, shortSha, subjectOf } from "./tree.ts"

/** Renders the links between the pages of branches and tags. */
const heading = ({ texts }: Visit, name: RepositoryName, current: "branches" | "tags"): Html => {
  const other = current === "branches" ? "tags" : "branches"
  return html`<div class="title"><h2>${texts.releases[current]}</h2><span class="push">${linkButton(`${repositoryPath(name)}/${other}`, texts.releases[other], current === "branches" ? "tag" : "git-branch")}</span></div>`
}

/** `/{owner}/{repo}/branches`: the branches of a repository, each with its latest commit. */
const branchesPage = page({
  path: "/:owner/:repo/branches",
  operations: [...repositoryOperations, "repository.branch.list"],
  load: async (visit) => {
    const params = namedIn(visit)
    const [{ may, repository }, branches] = await Promise.all([
      loadRepository(visit),
      visit.forge.repository.branch.list({ params, query: { page: pageNumber(visit), limit: rowsPerPage } })
    ])
    return { repository, may, branches }
  },
  view: ({ branches, may, repository }, visit) => {
    const { releases } = visit.texts
    const repo = repositoryIn(visit)
    return {
      title: `${releases.branches} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "code", visit, may),
      body: html`${heading(visit, repo, "branches")}<section class="card" aria-label="${releases.branches}">${
        branches.length === 0
          ? empty(releases.noBranches)
          : html`<ul class="rows">${branches.map(
              ({ commit, name, protected: isProtected }) =>
                html`<li>${icon("git-branch", "soft")}<div class="grow"><div class="row"><h3><a href="${revisionPath(repo, "src", { kind: "branch", name })}">${name}</a></h3>${name === repository.default_branch && html`<span class="badge info">${releases.isDefault}</span>`}${isProtected && html`<span class="badge">${icon("shield-check")}${releases.isProtected}</span>`}</div>
<div class="small soft cut"><a href="${commitPath(repo, commit.id)}">${subjectOf(commit.message)}</a> · ${releases.updated} ${time(visit, commit.timestamp)}</div></div>${shortSha(repo, commit.id)}</li>`
            )}</ul>`
      }</section>${pagination(visit, branches.length === rowsPerPage)}`
    }
  }
})

/** `/{owner}/{repo}/tags`: the tags of a repository, with their archives. */
const tagsPage = page({
  path: "/:owner/:repo/tags",
  operations: [...repositoryOperations, "repository.tag.list"],
  load: async (visit) => {
    const params = namedIn(visit)
    const [{ may, repository }, tags] = await Promise.all([
      loadRepository(visit),
      visit.forge.repository.tag.list({ params, query: { page: pageNumber(visit), limit: rowsPerPage } })
    ])
    return { repository, may, tags }
  },
  view: ({ may, repository, tags }, visit) => {
    const { releases } = visit.texts
    const repo = repositoryIn(visit)
    return {
      title: `${releases.tags} · ${repository.full_name}`,
      frame: repositoryFrame(repository, "code", visit, may),
      body: html`${heading(visit, repo, "tags")}<section class="card" aria-label="${releases.tags}">${
        tags.length === 0
          ? empty(releases.noTags)
          : html`<ul class="rows">${tags.map(({ commit, message, name }) => {
              const archive = `${repositoryPath(repo)}/archive/${encodeURIComponent(name)}`
              return html`<li>${icon("tag", "soft")}<div class="grow"><h3><a href="${revisionPath(repo, "src", { kind: "tag", name })}">${name}</a></h3>${message !== "" && html`<div class="small soft cut">${subjectOf(message)}</div>`}</div><span class="row small"><a href="${archive}.zip" rel="nofollow">zip<span class="hidden-text"> ${name}</span></a><a href="${archive}.tar.gz" rel="nofollow">tar.gz<span class="hidden-text"> ${name}</span></a>${shortSha(repo, commit.sha)}</span></li>`
            })}</ul>`
      }</section>${pagination(visit, tags.length === rowsPerPage)}`
    }
  }
})

/** The pages with the branches and tags of a repository. */
export const refPages = [branchesPage, tagsPage]
