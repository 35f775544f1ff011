import type { PullRequest, PullReviewComment, Repository } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { formTo } from "../../forms/fields.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { time } from "../../layout/time.ts"
import { withQuery } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import type { DiffLine } from "../code/diffView.ts"
import { repositoryIn } from "../code/revision.ts"
import { commentPlace, loadReferences, userLink } from "../issues/issueParts.ts"
import { replyForm } from "./reviewForms.ts"
import { isApplicable, writesHead } from "./suggestions.ts"

/** The comments on one line, the first of which began the conversation. */
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

/** Loads the review comments of a pull request as conversations, in order; none for viewers without the code. */
export const loadThreads = async (
  visit: Visit,
  params: { readonly username: string; readonly reponame: string; readonly index: number },
  branch: string,
  pendingReview: number | undefined
): Promise<ReadonlyArray<Thread>> => {
  const listed = await visit.forge.pull.comment.list({ params }).result()
  if (!listed.ok) {
    if (listed.error.status === 403 || listed.error.status === 404) return []
    throw listed.error
  }
  const links = await loadReferences(
    visit,
    listed.value.map(({ body }) => body)
  )
  const place = commentPlace(repositoryIn(visit), branch, links)
  const rendered = await Promise.all(
    listed.value.map(async (comment) => ({ comment, body: await visit.markdown(comment.body, place) }))
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

/** Returns the line of a conversation; undefined if it is outdated. */
export const lineOf = ({ first }: Thread): DiffLine | undefined => {
  if (first.position > 0) return { side: "new", line: first.position }
  return first.original_position > 0 ? { side: "old", line: first.original_position } : undefined
}

const placeText = ({ texts: { review } }: Visit, thread: Thread): string => {
  const line = lineOf(thread)
  if (line === undefined) return review.outdated
  return line.side === "new" ? review.onLine(line.line) : review.onOldLine(line.line)
}

/** The facts that decide which buttons of a conversation are shown. */
export interface ThreadContext {
  readonly repository: Repository
  readonly pull: PullRequest
}

const action = (visit: Visit, does: string, id: number, label: string): Html =>
  formTo(
    visit,
    visit.url.pathname,
    html`<input type="hidden" name="id" value="${id}"><button class="button" name="do" value="${does}">${label}</button>`,
    "inline"
  )

const actionsOf = (visit: Visit, { pull, repository }: ThreadContext, { comments, first, isPending }: Thread): Html => {
  const { review } = visit.texts
  const { viewer } = visit
  if (viewer === undefined || isPending) return nothing
  const writes = repository.permissions.push && !repository.archived
  const mayResolve = writes || viewer.login === pull.user.login
  const suggested = comments.findLast(({ comment }) => isApplicable(comment))
  const answers = !repository.archived && (writes || !pull.is_locked)
  if (visit.query.get("reply") === String(first.id) && answers) return replyForm(visit, first.id)
  return html`<div class="row">${answers && html`<a class="button" href="${withQuery(visit.url, { reply: String(first.id), path: undefined, line: undefined })}#reply">${review.reply}</a>`}${mayResolve && action(visit, first.resolver === null ? "resolve" : "unresolve", first.id, first.resolver === null ? review.resolve : review.unresolve)}${suggested !== undefined && first.resolver === null && writesHead(visit, repository, pull) && action(visit, "apply", suggested.comment.id, review.apply)}</div>`
}

/** Shows a conversation: its comments, and the buttons that answer, resolve and apply; a resolved one is folded. */
export const threadView = (visit: Visit, context: ThreadContext, thread: Thread, hunk: boolean): Html => {
  const { review } = visit.texts
  const { comments, first, isPending } = thread
  const lines = first.diff_hunk
    .split("\n")
    .slice(-4)
    .filter((line) => !line.startsWith("@@"))
  const content = html`${hunk && html`<pre class="message">${lines.join("\n")}</pre>`}${comments.map(
    ({ body, comment }) =>
      html`<div class="remark" id="pullcomment-${comment.id}"><p class="row small">${userLink(comment.user)} <span class="soft">${time(visit, comment.created_at)}</span>${isPending && html`<span class="badge warn">${review.pending}</span>`}</p><div class="markdown">${body}</div></div>`
  )}${actionsOf(visit, context, thread)}`
  const title = html`${hunk && html`<b class="mono">${first.path}</b> `}<span class="soft small">${placeText(visit, thread)}</span>`
  return first.resolver === null
    ? html`<div class="thread"><p class="row">${title}</p>${content}</div>`
    : html`<details class="thread"><summary>${icon("check-circle", "ok-text")} ${title} <span class="soft small">${review.resolvedBy} ${first.resolver.login}</span></summary>${content}</details>`
}
