import type { Issue, Label, Milestone, Repository } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { avatar, empty, linkButton, pageNumber, pagination, rowsPerPage } from "../../layout/components.ts"
import { repositoryFrame, tabBar } from "../../layout/frames.ts"
import { issuePath } from "../../layout/lists.ts"
import { time } from "../../layout/time.ts"
import { pathOf, repositoryPath, withQuery } from "../../layout/urls.ts"
import { page, type Visit } from "../../page/Page.ts"
import {
  loadRepository,
  type Offers,
  offersNewIssue,
  offersNewPull,
  repositoryOperations
} from "../code/loadRepository.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { issueState, labelChip, stateIcon } from "./issueParts.ts"

type Kind = "issues" | "pulls"

const states = ["open", "closed", "all"] as const
const sorts = ["newest", "oldest", "recentupdate", "leastupdate", "mostcomment", "leastcomment"] as const

const oneOf = <A extends string>(known: ReadonlyArray<A>, asked: string | null, otherwise: A): A =>
  known.find((each) => each === asked) ?? otherwise

/** Returns the filters in the URL, by their names in the API. */
const filtersOf = ({ query }: Visit) => {
  const parameter = (name: string) => {
    const value = query.get(name)?.trim() ?? ""
    return value === "" ? {} : { [name]: value }
  }
  return {
    state: oneOf(states, query.get("state"), "open"),
    sort: oneOf(sorts, query.get("sort"), "newest"),
    ...parameter("q"),
    ...parameter("labels"),
    ...parameter("milestones"),
    ...parameter("created_by"),
    ...parameter("assigned_by"),
    ...parameter("mentioned_by")
  }
}

const row = (visit: Visit, kind: Kind, issue: Issue): Html => {
  const { issues } = visit.texts
  const { assignees, comments, created_at: createdAt, labels, milestone, number: index, title, user } = issue
  const name = repositoryIn(visit)
  const state = issueState(issue)
  return html`<li>${stateIcon(state, kind === "pulls")}<div class="grow"><div class="row"><h3><span class="hidden-text">${issues.states[state]}: </span><a href="${issuePath(issue)}">${title}</a></h3>${labels.map((label) => labelChip(name, kind, label))}</div>
<div class="row small soft"><span>#${index} ${issues.opened} ${time(visit, createdAt)} ${issues.by} <a href="${pathOf(user.login)}">${user.login}</a></span>${milestone !== null && html`<span>${icon("milestone")} ${milestone.title}</span>`}</div></div>
<div class="row">${(assignees ?? []).map(({ avatar_url: address, login }) => html`<span title="${login}">${avatar(address)}<span class="hidden-text">${issues.assignees}: ${login}</span></span>`)}${comments > 0 && html`<span class="small soft">${icon("comment")} <span class="hidden-text">${issues.comments(comments)}</span><span aria-hidden="true">${comments}</span></span>`}</div></li>`
}

const choice = (name: string, label: string, chosen: string, options: ReadonlyArray<readonly [string, string]>): Html =>
  html`<select name="${name}" aria-label="${label}">${options.map(([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`)}</select>`

const filterBar = (visit: Visit, labels: ReadonlyArray<Label>, milestones: ReadonlyArray<Milestone>): Html => {
  const { issues } = visit.texts
  const { query, url } = visit
  const current = (name: string) => query.get(name) ?? ""
  // Filters without a control stay as they are.
  const hidden = ["state", "created_by", "assigned_by", "mentioned_by"].flatMap((name) =>
    current(name) === "" ? [] : [html`<input type="hidden" name="${name}" value="${current(name)}">`]
  )
  return html`<form class="filters" role="search" aria-label="${issues.filter}" action="${url.pathname}">${hidden}<input type="search" name="q" aria-label="${issues.search}" placeholder="${issues.search}" value="${current("q")}" maxlength="255">
${labels.length > 0 && choice("labels", issues.labels, current("labels"), [["", issues.anyLabel], ...labels.map(({ name }) => [name, name] as const)])}
${milestones.length > 0 && choice("milestones", issues.milestone, current("milestones"), [["", issues.anyMilestone], ...milestones.map(({ title }) => [title, title] as const)])}
${choice("sort", issues.sort, oneOf(sorts, query.get("sort"), "newest"), Object.entries(issues.sorts))}
<button class="button">${icon("search")}${issues.filter}</button></form>`
}

const stateTabs = (visit: Visit): Html => {
  const { issues } = visit.texts
  const current = oneOf(states, visit.query.get("state"), "open")
  const to = (state: (typeof states)[number]) =>
    withQuery(visit.url, { state: state === "open" ? undefined : state, page: undefined })
  return tabBar(
    visit,
    issues.state,
    [
      { key: "open", label: issues.states.open, to: to("open") },
      { key: "closed", label: issues.states.closed, to: to("closed") },
      { key: "all", label: issues.all, to: to("all") }
    ],
    current
  )
}

/** The access checks that decide whether the buttons to open an issue or a pull request are shown. */
const offered = { openIssue: ["issue.create", "repo"], openPull: ["pull.create", "repo"] } as const

const actionOf = (visit: Visit, kind: Kind, repository: Repository, may: Offers<keyof typeof offered>): Html => {
  const base = repositoryPath(repositoryIn(visit))
  if (kind === "issues")
    return offersNewIssue(visit, repository, may.openIssue)
      ? linkButton(`${base}/issues/new`, visit.texts.issues.newIssue, "plus", "primary")
      : nothing
  return offersNewPull(visit, repository, may.openPull) && !repository.empty
    ? linkButton(`${base}/compare`, visit.texts.review.newPull, "plus", "primary")
    : nothing
}

const listPage = (kind: Kind) =>
  page({
    path: `/:owner/:repo/${kind}`,
    operations: [...repositoryOperations, "issue.list", "label.list", "milestone.list"],
    load: async (visit) => {
      const { forge } = visit
      const params = namedIn(visit)
      const [{ may, repository }, issues, labels, milestones] = await Promise.all([
        loadRepository(visit, offered),
        forge.issue.list({
          params,
          query: { ...filtersOf(visit), type: kind, page: pageNumber(visit), limit: rowsPerPage }
        }),
        forge.label.list({ params, query: { limit: 50 } }),
        forge.milestone.list({ params, query: { limit: 50 } })
      ])
      return { repository, may, issues, labels, milestones }
    },
    view: ({ issues, labels, may, milestones, repository }, visit) => {
      const texts = visit.texts.issues
      const base = repositoryPath(repositoryIn(visit))
      const action = actionOf(visit, kind, repository, may)
      return {
        title: `${texts[kind]} · ${repository.full_name}`,
        frame: repositoryFrame(repository, kind, visit, may),
        body: html`<div class="title"><h2 class="hidden-text">${texts[kind]}</h2>${filterBar(visit, labels, milestones)}<span class="push row">${linkButton(`${base}/labels`, texts.labels, "tag")}${linkButton(`${base}/milestones`, texts.milestones, "milestone")}${action}</span></div>
${stateTabs(visit)}<section class="card" aria-label="${texts[kind]}">${issues.length === 0 ? empty(kind === "issues" ? texts.noIssues : texts.noPulls, action) : html`<ul class="rows">${issues.map((issue) => row(visit, kind, issue))}</ul>`}</section>
${pagination(visit, issues.length === rowsPerPage)}`
      }
    }
  })

/**
 * `/{owner}/{repo}/issues` and `/{owner}/{repo}/pulls`: the lists of issues and pull requests. The URL contains the
 * filters.
 */
export const issueListPages = [listPage("issues"), listPage("pulls")]
