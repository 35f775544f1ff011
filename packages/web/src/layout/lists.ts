import type { Issue, Organization, Repository, User } from "@slipway/client/forge"
import { icon } from "../assets/icons.ts"
import { type Html, html } from "../html/Html.ts"
import type { Visit } from "../page/Page.ts"
import { avatar, empty } from "./components.ts"
import { repositoryBadges } from "./frames.ts"
import { number, time } from "./time.ts"
import { pathOf, repositoryPath } from "./urls.ts"

/** Renders a list of repositories. If it is empty, shows the text `none`. */
export const repositoryList = (visit: Visit, repositories: ReadonlyArray<Repository>, none: string): Html => {
  const { texts } = visit
  if (repositories.length === 0) return empty(none)
  return html`<ul class="rows tall">${repositories.map(
    (repository) => html`<li>${icon(repository.fork ? "repo-forked" : "repo", "soft")}<div class="grow">
<div class="row"><h3><a href="${repositoryPath({ owner: repository.owner.login, name: repository.name })}">${repository.owner.login}/${repository.name}</a></h3>${repositoryBadges(repository, texts)}</div>
${repository.description !== "" && html`<p>${repository.description}</p>`}
<div class="row small soft">${repository.language !== "" && html`<span>${repository.language}</span>`}<span title="${texts.words.stars(repository.stars_count)}">${icon("star")} ${number(visit, repository.stars_count)}</span><span title="${texts.words.forks(repository.forks_count)}">${icon("repo-forked")} ${number(visit, repository.forks_count)}</span><span>${texts.words.updated} ${time(visit, repository.updated_at)}</span></div>
</div></li>`
  )}</ul>`
}

/** Renders a list of users. If it is empty, shows the text `none`. */
export const userList = (visit: Visit, users: ReadonlyArray<User>, none: string): Html =>
  users.length === 0
    ? empty(none)
    : html`<ul class="rows">${users.map(
        (
          user
        ) => html`<li>${avatar(user.avatar_url, "big")}<div class="grow"><div class="row"><h3><a href="${pathOf(user.login)}">${user.login}</a></h3>${user.full_name !== "" && html`<span class="soft">${user.full_name}</span>`}</div>
<span class="small soft">${visit.texts.words.joined} ${time(visit, user.created)}</span></div></li>`
      )}</ul>`

/** Renders a list of organizations. If it is empty, shows the text `none`. */
export const organizationList = ({ texts }: Visit, organizations: ReadonlyArray<Organization>, none: string): Html =>
  organizations.length === 0
    ? empty(none)
    : html`<ul class="rows">${organizations.map(
        (
          each
        ) => html`<li>${avatar(each.avatar_url, "big")}<div class="grow"><div class="row"><h3><a href="${pathOf(each.username)}">${each.username}</a></h3>${each.full_name !== "" && html`<span class="soft">${each.full_name}</span>`}${each.visibility !== "public" && html`<span class="badge">${texts.words[each.visibility]}</span>`}</div>
${each.description !== "" && html`<span class="small soft">${each.description}</span>`}</div></li>`
      )}</ul>`

/** Returns the path of the page of an issue or pull request. */
export const issuePath = ({ number: index, pull_request, repository }: Issue): string =>
  `${repositoryPath(repository)}/${pull_request === null ? "issues" : "pulls"}/${index}`

/** Renders a short list of issues or pull requests from several repositories. */
export const issueList = (visit: Visit, issues: ReadonlyArray<Issue>, none: string): Html =>
  issues.length === 0
    ? empty(none)
    : html`<ul class="rows">${issues.map(
        (
          issue
        ) => html`<li>${icon(issue.pull_request === null ? "issue-opened" : "git-pull-request", "ok-text")}<div class="grow"><a href="${issuePath(issue)}">${issue.title}</a>
<div class="small soft">${issue.repository.full_name}#${issue.number} · ${time(visit, issue.updated_at)}</div></div></li>`
      )}</ul>`
