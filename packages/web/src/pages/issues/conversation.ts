import type { Issue, PullRequest, Repository } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { fileField, problemSummary, textArea, uploadForm } from "../../forms/fields.ts"
import { type Html, html } from "../../html/Html.ts"
import { linkButton, pageNumber } from "../../layout/components.ts"
import { repositoryPath } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import type { Submitted, Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { checkedFiles } from "./attachments.ts"
import { type ConversationOffers, offersEditing } from "./conversationOffers.ts"
import { dueSection, type Facts, factForms, moreSections, reactionBar } from "./facts.ts"
import { labelChip, numberedIn, userLink } from "./issueParts.ts"
import {
  attachmentLink,
  attachmentList,
  commentEditor,
  type EditedComment,
  editLink,
  isEdited,
  issueForm
} from "./texts.ts"
import { commentCard, entriesPerPage, type TimelineExtras } from "./timeline.ts"

type Discussed = Issue | PullRequest

/** Loads one page of the timeline of an issue or pull request, and whether another page follows. */
export const loadTimeline = async (visit: Visit) => {
  const params = numberedIn(visit)
  const page = pageNumber(visit)
  const events = await visit.forge.issue.timeline.list({ params, query: { page, limit: entriesPerPage } })
  return { events, hasNext: events.length === entriesPerPage }
}

/**
 * Renders the labels, assignees, milestone and due date of an issue or pull request, with the forms that change them.
 */
export const factsAside = (
  visit: Visit,
  page: "issues" | "pulls",
  repository: Repository,
  discussed: Discussed,
  facts: Facts,
  may: ConversationOffers,
  more: Html | "" = ""
): Html => {
  const { issues } = visit.texts
  const { assignees, labels, milestone } = discussed
  const name = repositoryIn(visit)
  const none = (text: string) => html`<span class="soft">${text}</span>`
  const filtered = (title: string) =>
    `${repositoryPath(name)}/${page}?${String(new URLSearchParams({ milestones: title }))}`
  const forms = factForms(visit, facts, discussed, may)
  return html`<aside>${more}<section><h2>${issues.labels}</h2>${labels.length === 0 ? none(issues.noLabels) : html`<div class="row">${labels.map((label) => labelChip(name, page, label))}</div>`}${forms.labels}</section>
<section><h2>${issues.assignees}</h2>${assignees === null || assignees.length === 0 ? none(issues.noAssignees) : html`<ul>${assignees.map((user) => html`<li>${userLink(user)}</li>`)}</ul>`}${forms.assignees}</section>
<section><h2>${issues.milestone}</h2>${milestone === null ? none(issues.noMilestone) : html`<a href="${filtered(milestone.title)}">${icon("milestone")} ${milestone.title}</a>`}${forms.milestone}</section>
${dueSection(visit, discussed.due_date, forms.due)}${moreSections(visit, repository, facts, discussed, may)}</aside>`
}

/** Renders the description of an issue or pull request, or the form that edits it. */
export const descriptionCard = (
  visit: Visit,
  may: ConversationOffers,
  discussed: Discussed,
  facts: Facts,
  body: Html
) => {
  const { editing, issues } = visit.texts
  const { number: index, user } = discussed
  if (may.edit && isEdited(visit, "issue")) return issueForm(visit, discussed)
  const text = discussed.body === "" ? html`<p class="soft">${issues.noDescription}</p>` : body
  const attachments = "assets" in discussed ? attachmentList(visit, discussed.assets) : ""
  return commentCard(
    visit,
    `issue-${index}`,
    user,
    discussed.created_at,
    html`${text}${attachments}${reactionBar(visit, facts, may.react)}`,
    may.edit ? editLink(visit, "issue", editing.editIssue) : ""
  )
}

/** Returns functions that add content to comments: the reactions, the edit link, and the edit form. */
export const commentExtras = (
  visit: Visit,
  may: ConversationOffers,
  facts: Facts,
  edited: EditedComment | undefined
): Pick<TimelineExtras, "body" | "footer" | "header"> => ({
  footer: ({ id }) => reactionBar(visit, facts, may.react, id),
  header: ({ id, user }) =>
    offersEditing(visit, may, user) ? editLink(visit, id, visit.texts.editing.editComment) : html``,
  body: ({ id, user }) =>
    edited?.id === id && offersEditing(visit, may, user) ? commentEditor(visit, edited) : undefined
})

/** Renders the comment form, with the button to close or reopen. If the viewer may do neither, shows the reason. */
export const commentForm = (
  visit: Visit,
  isPull: boolean,
  { changeState, comment }: ConversationOffers,
  discussed: Discussed
): Html => {
  const { issues } = visit.texts
  const { url, viewer } = visit
  if (viewer === undefined) {
    const here = new URLSearchParams({ redirect_to: url.pathname })
    return html`<p>${linkButton(`/user/login?${String(here)}`, issues.signInToComment)}</p>`
  }
  const { is_locked: isLocked, state } = discussed
  if (!comment && !changeState) return html`<p class="soft">${isLocked ? issues.locked : issues.mayNotComment}</p>`
  const [close, reopen] = isPull ? [issues.closePull, issues.reopenPull] : [issues.close, issues.reopen]
  const change =
    state === "open"
      ? html`<button class="button" name="do" value="close" formnovalidate>${close}</button>`
      : html`<button class="button" name="do" value="reopen" formnovalidate>${reopen}</button>`
  return html`${problemSummary(visit)}<section class="card" id="new-comment"><div class="body">${uploadForm(
    visit,
    url.pathname,
    html`${comment && html`${textArea(visit, { name: "body", label: issues.comment, hint: issues.commentHint, rows: 6 })}${fileField(visit, { name: "files", label: visit.texts.editing.files, hint: visit.texts.editing.filesHint })}`}
<div class="row end">${changeState && change}${comment && html`<button class="button ${isPull ? "" : "primary"}" name="do" value="comment">${issues.add}</button>`}</div>`
  )}</div></section>`
}

/** Returns the URL of a new comment. It is on the last page of the timeline. */
const placeOfComment = async (visit: Visit, id: number): Promise<string> => {
  const pages = visit.forge.issue.timeline.list({ params: numberedIn(visit), query: { limit: 1 } }).pages()
  const { value } = await pages.next()
  const total: number = value?.total ?? 0
  const last = Math.ceil(total / entriesPerPage)
  return `${visit.url.pathname}${last > 1 ? `?page=${last}` : ""}#issuecomment-${id}`
}

/** Handles the comment form, which can add a comment, close or reopen, or do both. */
export const submitComment = async (
  visit: Visit,
  change: (state: "open" | "closed") => PromiseLike<unknown>
): Promise<Submitted> => {
  const { form, texts, url } = visit
  const body = typed(form, "body").trim()
  const does = typed(form, "do")
  const { files, problem } = await checkedFiles(visit)
  if (problem !== undefined) return { problems: { files: problem } }
  if (does !== "close" && does !== "reopen" && body === "" && files.length === 0)
    return { problems: { body: texts.forms.required } }
  // A state that the forge rejects, as with an open dependency, leaves the comment in the form.
  if (does === "close" || does === "reopen") await change(does === "close" ? "closed" : "open")
  if (body === "" && files.length === 0) return { to: url.pathname }
  return { to: await placeOfComment(visit, await addComment(visit, body, files)) }
}

/** Adds a comment with attachments. If a file is rejected, removes the comment, so that nothing changes. */
const addComment = async (visit: Visit, body: string, files: ReadonlyArray<File>): Promise<number> => {
  const { forge } = visit
  const named = namedIn(visit)
  // An empty comment is rejected: the names stand in for the links until the upload ends.
  const text = body === "" ? files.map(({ name }) => name).join("\n") : body
  const { content_version: version, id } = await forge.issue.comment.create({
    params: numberedIn(visit),
    body: { body: text }
  })
  if (files.length === 0) return id
  const params = { ...named, id }
  try {
    const links: Array<string> = []
    for (const file of files) {
      const asset = await forge.issue.comment.asset.create({ params, query: { name: file.name }, body: file.stream() })
      links.push(attachmentLink(asset))
    }
    const linked = [...(body === "" ? [] : [body, ""]), ...links].join("\n")
    await forge.issue.comment.edit({ params, body: { body: linked, content_version: version } })
  } catch (error) {
    await forge.issue.comment.delete({ params }).result()
    throw error
  }
  return id
}
