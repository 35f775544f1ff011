import type { PullReviewComment } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { formTo } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { time } from "../../layout/time.ts"
import { withQuery } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import type { DiffLine } from "../code/diffView.ts"
import { repositoryIn } from "../code/revision.ts"
import { commentPlace, loadReferences, type numberedIn, userLink } from "../issues/issueParts.ts"
import type { PullOffers } from "./pullOffers.ts"
import { replyForm } from "./reviewForms.ts"
import { isApplicable } from "./suggestions.ts"

/** A conversation on one line of a diff. Its first comment started it. */
export interface Thread {
  readonly first: PullReviewComment
  readonly comments: ReadonlyArray<{ readonly comment: PullReviewComment; readonly body: Html }>
  readonly isPending: boolean
}

const keyOf = ({
  diff_hunk: hunk,
  original_position: old,
  path,
  position,
  pull_request_review_id: review
}: PullReviewComment) => JSON.stringify([review, path, position, old, hunk])

/** Loads the review comments of a pull request. Returns none if the viewer cannot read the code. */
export const loadComments = async (
  visit: Visit,
  params: ReturnType<typeof numberedIn>
): Promise<ReadonlyArray<PullReviewComment>> => {
  const listed = await visit.forge.pull.comment.list({ params }).result()
  if (listed.ok) return listed.value
  if (listed.error.status === 403 || listed.error.status === 404) return []
  throw listed.error
}

/** Groups review comments into conversations, in order. */
export const threadsOf = async (
  visit: Visit,
  listed: ReadonlyArray<PullReviewComment>,
  branch: string,
  pendingReview: number | undefined
): Promise<ReadonlyArray<Thread>> => {
  const links = await loadReferences(
    visit,
    listed.map(({ body }) => body)
  )
  const place = commentPlace(repositoryIn(visit), branch, links)
  const rendered = await Promise.all(
    listed.map(async (comment) => ({ comment, body: await visit.markdown(comment.body, place) }))
  )
  const threads = new Map<string, Array<(typeof rendered)[number]>>()
  for (const each of rendered) {
    const key = keyOf(each.comment)
    threads.set(key, [...(threads.get(key) ?? []), each])
  }
  return [...threads.values()].flatMap((comments) => {
    const [first] = comments
    if (first === undefined) return []
    return [{ first: first.comment, comments, isPending: first.comment.pull_request_review_id === pendingReview }]
  })
}

/** Returns the line of a conversation; undefined if the line no longer exists (outdated conversation). */
export const lineOf = ({ first }: Thread): DiffLine | undefined => {
  if (first.position > 0) return { side: "new", line: first.position }
  return first.original_position > 0 ? { side: "old", line: first.original_position } : undefined
}

const placeText = ({ texts: { review } }: Visit, thread: Thread): string => {
  const line = lineOf(thread)
  if (line === undefined) return review.outdated
  return line.side === "new" ? review.onLine(line.line) : review.onOldLine(line.line)
}

const action = (visit: Visit, does: string, id: number, label: string): Html =>
  formTo(
    visit,
    visit.url.pathname,
    html`<input type="hidden" name="id" value="${id}"><button class="button" name="do" value="${does}">${label}</button>`,
    "inline"
  )

const actionsOf = (visit: Visit, may: PullOffers, { comments, first, isPending }: Thread): Html => {
  const { review } = visit.texts
  if (isPending) return nothing
  const resolution = first.resolver === null ? "resolve" : "unresolve"
  const suggested = comments.findLast(({ comment }) => isApplicable(comment))
  if (visit.query.get("reply") === String(first.id) && may.reply) return replyForm(visit, first.id)
  return html`<div class="row">${may.reply && html`<a class="button" href="${withQuery(visit.url, { reply: String(first.id), path: undefined, line: undefined })}#reply">${review.reply}</a>`}${may[resolution] && action(visit, resolution, first.id, review[resolution])}${suggested !== undefined && first.resolver === null && may.editHead && action(visit, "apply", suggested.comment.id, review.apply)}</div>`
}

/**
 * Renders a conversation: its comments, and the buttons to reply, to resolve it, and to apply a suggestion. A resolved
 * conversation is collapsed.
 */
export const threadView = (visit: Visit, may: PullOffers, thread: Thread, hunk: boolean): Html => {
  const { review } = visit.texts
  const { comments, first, isPending } = thread
  const lines = first.diff_hunk
    .split("\n")
    .slice(-4)
    .filter((line) => !line.startsWith("@@"))
  const content = html`${hunk && html`<pre class="message">${lines.join("\n")}</pre>`}${comments.map(
    ({ body, comment }) =>
      html`<div class="remark" id="pullcomment-${comment.id}"><p class="row small">${userLink(comment.user)} <span class="soft">${time(visit, comment.created_at)}</span>${isPending && html`<span class="badge warn">${review.pending}</span>`}</p><div class="markdown">${body}</div></div>`
  )}${actionsOf(visit, may, thread)}`
  const title = html`${hunk && html`<b class="mono">${first.path}</b> `}<span class="soft small">${placeText(visit, thread)}</span>`
  return first.resolver === null
    ? html`<div class="thread"><p class="row">${title}</p>${content}</div>`
    : html`<details class="thread"><summary>${icon("check-circle", "ok-text")} ${title} <span class="soft small">${review.resolvedBy} ${first.resolver.login}</span></summary>${content}</details>`
}
