import type { Issue, PullRequest, Repository } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { formTo, problemSummary, textArea } from "../../forms/fields.ts"
import { type Html, html } from "../../html/Html.ts"
import { linkButton, pageNumber } from "../../layout/components.ts"
import { time } from "../../layout/time.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import type { Submitted, Visit } from "../../page/Page.ts"
import { repositoryIn } from "../code/revision.ts"
import { labelChip, numberedIn, userLink } from "./issueParts.ts"
import { conversationOffers } from "./offers.ts"
import { entriesPerPage } from "./timeline.ts"

type Discussed = Issue | PullRequest

/** Loads one page of a timeline, and whether another one follows. */
export const loadTimeline = async (visit: Visit) => {
  const params = numberedIn(visit)
  const page = pageNumber(visit)
  const events = await visit.forge.issue.timeline.list({ params, query: { page, limit: entriesPerPage } })
  return { events, hasNext: events.length === entriesPerPage }
}

/** The labels, assignees, milestone and due date of an issue or pull request. */
export const factsAside = (
  visit: Visit,
  page: "issues" | "pulls",
  discussed: Discussed,
  more: Html | "" = ""
): Html => {
  const { issues } = visit.texts
  const { assignees, due_date: due, labels, milestone } = discussed
  const repository = repositoryIn(visit)
  const none = (text: string) => html`<span class="soft">${text}</span>`
  const filtered = (title: string) =>
    `${repositoryPath(repository)}/${page}?${String(new URLSearchParams({ milestones: title }))}`
  return html`<aside>${more}<section><h2>${issues.labels}</h2>${labels.length === 0 ? none(issues.noLabels) : html`<div class="row">${labels.map((label) => labelChip(repository, page, label))}</div>`}</section>
<section><h2>${issues.assignees}</h2>${assignees === null || assignees.length === 0 ? none(issues.noAssignees) : html`<ul>${assignees.map((user) => html`<li>${userLink(user)}</li>`)}</ul>`}</section>
<section><h2>${issues.milestone}</h2>${milestone === null ? none(issues.noMilestone) : html`<a href="${filtered(milestone.title)}">${icon("milestone")} ${milestone.title}</a>`}</section>
${due !== null && html`<section><h2>${issues.due}</h2>${time(visit, due)}</section>`}</aside>`
}

/** The form for comments, with the button that closes or reopens. Shows the reason to viewers who may do neither. */
export const commentForm = (visit: Visit, isPull: boolean, repository: Repository, discussed: Discussed): Html => {
  const { issues } = visit.texts
  const { url, viewer } = visit
  if (viewer === undefined) {
    const here = new URLSearchParams({ redirect_to: url.pathname })
    return html`<p>${linkButton(`/user/login?${String(here)}`, issues.signInToComment)}</p>`
  }
  const { is_locked: isLocked, state } = discussed
  const { changeState, comment } = conversationOffers(visit, repository, discussed)
  if (!comment && !changeState) return html`<p class="soft">${isLocked ? issues.locked : issues.mayNotComment}</p>`
  const [close, reopen] = isPull ? [issues.closePull, issues.reopenPull] : [issues.close, issues.reopen]
  const change =
    state === "open"
      ? html`<button class="button" name="do" value="close" formnovalidate>${close}</button>`
      : html`<button class="button" name="do" value="reopen" formnovalidate>${reopen}</button>`
  return html`${problemSummary(visit)}<section class="card" id="new-comment" aria-label="${issues.comment}"><div class="body">${formTo(
    visit,
    url.pathname,
    html`${comment && textArea(visit, { name: "body", label: issues.comment, hint: issues.commentHint, rows: 6 })}
<div class="row end">${changeState && change}${comment && html`<button class="button ${isPull ? "" : "primary"}" name="do" value="comment">${issues.add}</button>`}</div>`
  )}</div></section>`
}

/** Returns where a comment is shown, which is the last page of the timeline. */
const placeOfComment = async (visit: Visit, id: number): Promise<string> => {
  const pages = visit.forge.issue.timeline.list({ params: numberedIn(visit), query: { limit: 1 } }).pages()
  const { value } = await pages.next()
  const total: number = value?.total ?? 0
  const last = Math.ceil(total / entriesPerPage)
  return `${visit.url.pathname}${last > 1 ? `?page=${last}` : ""}#issuecomment-${id}`
}

/** Handles the comment form: comments, closes or reopens, or changes the state and comments. */
export const submitComment = async (
  visit: Visit,
  change: (state: "open" | "closed") => PromiseLike<unknown>
): Promise<Submitted> => {
  const { form, forge, texts, url } = visit
  const body = typed(form, "body").trim()
  const does = typed(form, "do")
  if (does !== "close" && does !== "reopen" && body === "") return { problems: { body: texts.forms.required } }
  // A state that the forge rejects, as with an open dependency, leaves the comment in the form.
  if (does === "close" || does === "reopen") await change(does === "close" ? "closed" : "open")
  if (body === "") return { to: url.pathname }
  const { id } = await forge.issue.comment.create({ params: numberedIn(visit), body: { body } })
  return { to: await placeOfComment(visit, id) }
}
