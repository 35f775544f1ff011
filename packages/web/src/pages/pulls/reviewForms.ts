import type { PullRequest, PullReview } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { formTo, textArea } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { card, linkButton } from "../../layout/components.ts"
import { withQuery } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import type { Submitted, Visit } from "../../page/Page.ts"
import type { DiffLine } from "../code/diffView.ts"
import { namedIn } from "../code/revision.ts"
import { numberedIn } from "../issues/issueParts.ts"
import { applySuggestion } from "./suggestions.ts"

/** The API operations that the review forms use. */
export const reviewOperations = [
  "pull.read",
  "pull.review.list",
  "pull.review.create",
  "pull.review.submit",
  "pull.review.delete",
  "pull.comment.list",
  "pull.comment.reply",
  "pull.comment.resolve",
  "pull.comment.unresolve",
  "repository.contents.readExtended",
  "repository.contents.edit"
] as const

/**
 * Returns the pending (not yet submitted) review of the viewer. The API returns pending reviews only to their author.
 */
export const pendingIn = (reviews: ReadonlyArray<PullReview>): PullReview | undefined =>
  reviews.find(({ state }) => state === "PENDING")

const lineIn = (text: string): DiffLine | undefined => {
  const [, side, line] = /^([LR])([1-9]\d{0,7})$/.exec(text) ?? []
  return line === undefined ? undefined : { side: side === "L" ? "old" : "new", line: Number(line) }
}

const lineText = ({ line, side }: DiffLine): string => `${side === "old" ? "L" : "R"}${line}`

/** Returns the line of the diff for which the URL opens the comment form; undefined if there is none. */
export const chosenLine = ({ query }: Visit): (DiffLine & { readonly path: string }) | undefined => {
  const [path, line] = [query.get("path"), lineIn(query.get("line") ?? "")]
  return path === null || line === undefined ? undefined : { ...line, path }
}

/** Renders the link that opens the comment form for a line. */
export const lineLink = (visit: Visit, path: string, line: DiffLine): Html => {
  const { review } = visit.texts
  const label = line.side === "old" ? review.commentOnOld(line.line, path) : review.commentOn(line.line, path)
  return html`<a class="add-comment" href="${withQuery(visit.url, { path, line: lineText(line), reply: undefined })}#comment-form">${icon("plus")}<span class="hidden-text">${label}</span></a>`
}

/**
 * Renders the form for a comment on a line. The comment is published immediately, or becomes part of a review that is
 * submitted later.
 */
export const lineForm = (visit: Visit, path: string, line: DiffLine, pending: PullReview | undefined): Html => {
  const { review } = visit.texts
  const label = line.side === "old" ? review.commentOnOld(line.line, path) : review.commentOn(line.line, path)
  return html`<div class="thread" id="comment-form"><p class="soft small">${label}</p>${formTo(
    visit,
    withQuery(visit.url, { path, line: lineText(line) }),
    html`${textArea(visit, { name: "body", label: review.comment, hint: review.suggestionHint, rows: 5, required: true })}
<div class="row"><button class="button primary" name="do" value="start">${pending === undefined ? review.startReview : review.addToReview}</button>${pending === undefined && html`<button class="button" name="do" value="single">${review.addComment}</button>`}${linkButton(visit.url.pathname, review.cancel)}</div>`
  )}</div>`
}

/** Renders the form that replies to a conversation. */
export const replyForm = (visit: Visit, id: number): Html => {
  const { review } = visit.texts
  return html`<div id="reply">${formTo(
    visit,
    withQuery(visit.url, { reply: String(id) }),
    html`<input type="hidden" name="id" value="${id}">${textArea(visit, { name: "body", label: review.comment, rows: 4, required: true })}
<div class="row"><button class="button primary" name="do" value="reply">${review.reply}</button>${linkButton(visit.url.pathname, review.cancel)}</div>`
  )}</div>`
}

/** Renders the card that starts a review, or submits it with a verdict. */
export const reviewCard = (visit: Visit, pull: PullRequest, pending: PullReview | undefined): Html => {
  const { issues, review } = visit.texts
  const judges = visit.viewer?.login !== pull.user.login && pull.state === "open"
  const discard =
    pending === undefined
      ? nothing
      : html`<button class="button danger" name="do" value="discard">${review.discard}</button>`
  return card(
    review.finish,
    html`<div class="body">${pending !== undefined && html`<p>${review.yourReview(pending.comments_count)}</p>`}${formTo(
      visit,
      `${visit.url.pathname}#review`,
      html`${textArea(visit, { name: "summary", label: review.comment, hint: issues.commentHint, rows: 4, value: pending?.body ?? "" })}
<div class="row">${judges && html`<button class="button" name="do" value="approve">${icon("check")}${review.approve}</button><button class="button" name="do" value="reject">${icon("x")}${review.requestChanges}</button>`}<button class="button primary" name="do" value="submit">${review.submit}</button>${pending === undefined && html`<button class="button" name="do" value="begin">${review.startReview}</button>`}${discard}</div>
${!judges && pull.state === "open" && html`<p class="hint">${review.ownPull}</p>`}`
    )}</div>`
  )
}

const commentLine = async (visit: Visit, isPart: boolean): Promise<Submitted> => {
  const { form, forge, texts, url } = visit
  const line = chosenLine(visit)
  const body = typed(form, "body").trim()
  if (body === "" || line === undefined) return { problems: { body: texts.forms.required } }
  const params = numberedIn(visit)
  const pending = pendingIn(await forge.pull.review.list({ params, query: { limit: 50 } }))
  const at = line.side === "new" ? { new_position: line.line } : { old_position: line.line }
  await forge.pull.review.create({
    params,
    body: {
      // A single comment would submit the pending review: it becomes part of it instead.
      event: isPart || pending !== undefined ? "PENDING" : "COMMENT",
      body: "",
      comments: [{ path: line.path, body, ...at }]
    }
  })
  return { to: url.pathname }
}

const events = { approve: "APPROVED", reject: "REQUEST_CHANGES", submit: "COMMENT", begin: "PENDING" } as const

const finish = async (visit: Visit, does: keyof typeof events): Promise<Submitted> => {
  const { form, forge, texts, url } = visit
  const params = numberedIn(visit)
  const body = typed(form, "summary").trim()
  const pending = pendingIn(await forge.pull.review.list({ params, query: { limit: 50 } }))
  const hasText = body !== "" || (pending?.comments_count ?? 0) > 0
  if (!hasText && (does === "submit" || does === "reject"))
    return { problems: { summary: does === "reject" ? texts.review.bodyRequired : texts.forms.required } }
  const event = events[does]
  if (pending === undefined) await forge.pull.review.create({ params, body: { event, body } })
  else await forge.pull.review.submit({ params: { ...params, id: pending.id }, body: { event, body } })
  return { to: does === "begin" ? url.pathname : url.pathname.replace(/\/files$/, "") }
}

const isVerdict = (does: string): does is keyof typeof events => Object.hasOwn(events, does)

/** Handles the review forms. Returns undefined if another form was submitted. */
export const submitReview = async (visit: Visit): Promise<Submitted | undefined> => {
  const { form, forge, texts, url } = visit
  const does = typed(form, "do")
  const id = Number(typed(form, "id"))
  const params = numberedIn(visit)
  if (does === "start" || does === "single") return commentLine(visit, does === "start")
  if (isVerdict(does)) return finish(visit, does)
  if (does === "discard") {
    const pending = pendingIn(await forge.pull.review.list({ params, query: { limit: 50 } }))
    if (pending !== undefined) await forge.pull.review.delete({ params: { ...params, id: pending.id } })
    return { to: url.pathname }
  }
  if (!["apply", "reply", "resolve", "unresolve"].includes(does)) return undefined
  const to = `${url.pathname}#pullcomment-${id}`
  if (does === "reply") {
    const body = typed(form, "body").trim()
    if (body === "") return { problems: { body: texts.forms.required } }
    const { id: replyId } = await forge.pull.comment.reply({ params: { ...params, id }, body: { body } })
    return { to: `${url.pathname}#pullcomment-${replyId}` }
  }
  if (does === "resolve" || does === "unresolve") {
    await forge.pull.comment[does]({ params: { ...namedIn(visit), id } })
    return { to }
  }
  const [pull, comments] = await Promise.all([forge.pull.read({ params }), forge.pull.comment.list({ params })])
  return applySuggestion(
    visit,
    pull,
    comments.find((each) => each.id === id)
  )
}
