import type { Attachment, Issue, PullRequest } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { formTo, textArea, textField } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { linkButton } from "../../layout/components.ts"
import { bytes } from "../../layout/time.ts"
import { withQuery } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"
import { numberedIn } from "./issueParts.ts"

type Discussed = Issue | PullRequest

/**
 * Renders the link that opens the edit form of a text. `what` is `issue` for the description, or the id of a comment.
 */
export const editLink = (visit: Visit, what: string | number, label: string): Html =>
  html`<a class="small push" href="${withQuery(visit.url, { edit: String(what) })}#edit">${icon("pencil")}<span class="hidden-text">${label}</span></a>`

/**
 * Returns whether the URL opens the edit form of a text. `what` is `issue` for the description, or the id of a comment.
 */
export const isEdited = ({ query }: Visit, what: string | number): boolean => query.get("edit") === String(what)

/** Loads the comment that the URL opens for editing; undefined if there is none. */
export const loadEdited = async (visit: Visit) => {
  const id = Number(visit.query.get("edit"))
  if (!Number.isSafeInteger(id) || id < 1 || visit.viewer === undefined) return undefined
  const read = await visit.forge.issue.comment.read({ params: { ...namedIn(visit), id } }).result()
  return read.ok && read.value.issue_url.endsWith(`/${numberedIn(visit).index}`) ? read.value : undefined
}

/** A comment that is open for editing, with its Markdown text. */
export type EditedComment = NonNullable<Awaited<ReturnType<typeof loadEdited>>>

const hidden = (name: string, value: number): Html => html`<input type="hidden" name="${name}" value="${value}">`

/** Renders the form that edits the title and description of an issue or pull request. */
export const issueForm = (visit: Visit, discussed: Discussed): Html => {
  const { editing, issues } = visit.texts
  return html`<section class="card" id="edit" aria-label="${editing.editIssue}"><div class="body">${formTo(
    visit,
    withQuery(visit.url, { edit: "issue" }),
    html`${hidden("version", discussed.content_version)}${textField(visit, { name: "title", label: issues.title, value: discussed.title, required: true })}
${textArea(visit, { name: "text", label: issues.description, hint: issues.commentHint, value: discussed.body, rows: 10 })}
<div class="row"><button class="button primary" name="do" value="edit">${editing.save}</button>${linkButton(visit.url.pathname, editing.cancel)}</div>`
  )}</div></section>`
}

/** Renders the form that edits or deletes a comment. */
export const commentEditor = (visit: Visit, { body, content_version: version, id }: EditedComment): Html => {
  const { editing, issues } = visit.texts
  return html`<div id="edit">${formTo(
    visit,
    withQuery(visit.url, { edit: String(id) }),
    html`${hidden("id", id)}${hidden("version", version)}${textArea(visit, { name: "text", label: editing.editComment, hint: issues.commentHint, value: body, rows: 8 })}
<div class="row"><button class="button primary" name="do" value="edit-comment">${editing.save}</button><button class="button danger" name="do" value="delete-comment" formnovalidate>${icon("trash")}${editing.deleteComment}</button>${linkButton(visit.url.pathname, editing.cancel)}</div>`
  )}</div>`
}

const pathOfAttachment = ({ browser_download_url: url }: Attachment): string =>
  URL.canParse(url) ? new URL(url).pathname : ""

/** Renders the attachments of an issue as links. */
export const attachmentList = (visit: Visit, attachments: ReadonlyArray<Attachment>): Html =>
  attachments.length === 0
    ? nothing
    : html`<ul class="small">${attachments.map((each) => html`<li>${icon("file")} <a href="${pathOfAttachment(each)}">${each.name}</a> <span class="soft">${bytes(visit, each.size)}</span></li>`)}</ul>`

const image = /\.(?:png|jpe?g|gif|webp|avif)$/i

/** Returns the Markdown that shows an attachment in a comment. */
export const attachmentLink = (attachment: Attachment): string => {
  const name = attachment.name.replaceAll(/[[\]\\]/g, "\\$&")
  return `${image.test(attachment.name) ? "!" : ""}[${name}](${attachment.browser_download_url})`
}
