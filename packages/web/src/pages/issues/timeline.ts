import type { PullReview, TimelineComment, User } from "@slipway/client/forge"
import { type IconName, icon } from "../../assets/icons.ts"
import { type Html, html, nothing } from "../../html/Html.ts"
import { issuePath } from "../../layout/lists.ts"
import { time } from "../../layout/time.ts"
import type { RepositoryName } from "../../layout/urls.ts"
import type { Visit } from "../../page/Page.ts"
import { commitPath } from "../code/tree.ts"
import { commentPlace, labelChip, type References, userLink } from "./issueParts.ts"

/** The number of timeline entries on one page. */
export const entriesPerPage = 50

/** A comment or an event of a timeline, with the HTML of its text. */
export interface TimelineEntry {
  readonly event: TimelineComment
  readonly body: Html
  readonly review: PullReview | undefined
}

/** Renders the texts of the entries of a timeline. `reviews` provides the verdicts for entries about reviews. */
export const timelineEntries = (
  visit: Visit,
  repository: RepositoryName,
  branch: string,
  events: ReadonlyArray<TimelineComment>,
  links: References,
  reviews: ReadonlyArray<PullReview> = []
): Promise<ReadonlyArray<TimelineEntry>> => {
  const reviewById = new Map(reviews.map((review) => [review.id, review]))
  return Promise.all(
    events.map(async (event) => ({
      event,
      body:
        isText(event) && event.body !== ""
          ? await visit.markdown(event.body, commentPlace(repository, branch, links))
          : nothing,
      review: reviewById.get(event.review_id)
    }))
  )
}

const isText = ({ type }: TimelineComment): boolean => type === "comment" || type === "review"

/** Renders a comment or description as a card with its author, time and text. */
export const commentCard = (
  visit: Visit,
  id: string,
  user: User,
  at: string,
  body: Html,
  did: Html | string = nothing
): Html =>
  html`<article class="card comment" id="${id}"><header><h3>${userLink(user)}</h3>${did}<a class="small soft" href="#${id}">${time(visit, at)}</a></header><div class="body markdown">${body}</div></article>`

type Described = readonly [icon: IconName, text: string, about?: Html | string]

type Describe = (event: TimelineComment, visit: Visit, repository: RepositoryName) => Described

const plain =
  (name: IconName, key: keyof Visit["texts"]["issues"]["events"]): Describe =>
  (_, { texts }) => [name, texts.issues.events[key]]

const reference: Describe = ({ ref_action: action, ref_commit_sha: sha, ref_issue: issue }, { texts }, repository) => {
  const about =
    issue !== null
      ? html`<a href="${issuePath(issue)}">${issue.title} #${issue.number}</a>`
      : sha !== ""
        ? html`<a class="mono" href="${commitPath(repository, sha)}">${sha.slice(0, 10)}</a>`
        : nothing
  return ["link", action === "closes" ? texts.issues.events.closes : texts.issues.events.referenced, about]
}

const tracked = plain("history", "time")
const deadline = plain("history", "deadline")
const dependency: Describe = ({ dependent_issue: issue }, { texts }) => [
  "link",
  texts.issues.events.dependency,
  issue === null ? nothing : html`<a href="${issuePath(issue)}">${issue.title} #${issue.number}</a>`
]

/** The functions that describe each type of event, by its name in the API. */
const descriptions: Readonly<Record<string, Describe>> = {
  close: plain("issue-closed", "close"),
  reopen: plain("issue-opened", "reopen"),
  label: ({ body, label }, { texts }, repository) => [
    "tag",
    body === "" ? texts.issues.events.labelRemoved : texts.issues.events.labelAdded,
    label === null ? nothing : labelChip(repository, "issues", label)
  ],
  milestone: ({ milestone, old_milestone: before }, { texts }) =>
    milestone === null
      ? ["milestone", texts.issues.events.milestoneRemoved, html`<b>${before?.title ?? ""}</b>`]
      : ["milestone", texts.issues.events.milestoneSet, html`<b>${milestone.title}</b>`],
  assignees: ({ assignee, removed_assignee: isRemoved }, { texts }) => [
    "person",
    isRemoved ? texts.issues.events.unassigned : texts.issues.events.assigned,
    assignee === null ? nothing : userLink(assignee)
  ],
  change_title: ({ new_title: title, old_title: before }, { texts }) => [
    "pencil",
    texts.issues.events.renamed,
    html`<del>${before}</del> <b>${title}</b>`
  ],
  issue_ref: reference,
  pull_ref: reference,
  comment_ref: reference,
  commit_ref: reference,
  lock: plain("lock", "lock"),
  unlock: plain("lock", "unlock"),
  pin: plain("location", "pin"),
  unpin: plain("location", "unpin"),
  added_deadline: deadline,
  modified_deadline: deadline,
  removed_deadline: deadline,
  add_dependency: dependency,
  remove_dependency: dependency,
  start_tracking: tracked,
  stop_tracking: tracked,
  add_time_manual: tracked,
  cancel_tracking: tracked,
  delete_time_manual: tracked,
  change_time_estimate: tracked,
  merge_pull: plain("git-merge", "merged"),
  pull_push: plain("git-commit", "pushed"),
  change_target_branch: ({ new_ref: ref, old_ref: before }, { texts }) => [
    "git-branch",
    texts.issues.events.targetBranch,
    html`<del>${before}</del> <b>${ref}</b>`
  ],
  delete_branch: plain("trash", "branchDeleted"),
  dismiss_review: plain("x", "reviewDismissed"),
  review_request: ({ assignee, assignee_team: team, removed_assignee: isRemoved }, { texts }) => [
    "eye",
    isRemoved ? texts.issues.events.reviewRequestRemoved : texts.issues.events.reviewRequested,
    assignee === null ? html`<b>${team?.name ?? ""}</b>` : userLink(assignee)
  ],
  pull_scheduled_merge: plain("git-merge", "mergeScheduled"),
  pull_cancel_scheduled_merge: plain("git-merge", "mergeCanceled")
}

const verdictKind = { APPROVED: "ok", REQUEST_CHANGES: "bad", COMMENT: "", PENDING: "", REQUEST_REVIEW: "" } as const

/** Functions that add content to the entries of a timeline. */
export interface TimelineExtras {
  /** Renders the content below the entry of a review, such as its conversations on lines. */
  readonly ofReview?: (review: number) => Html
  /** Renders the content in the header of a comment, such as the edit link. */
  readonly header?: (event: TimelineComment) => Html
  /** Renders the content below the text of a comment, such as its reactions. */
  readonly footer?: (event: TimelineComment) => Html
  /** Renders the content that replaces the text of a comment, such as the edit form; undefined to show the text. */
  readonly body?: (event: TimelineComment) => Html | undefined
}

const entry = (
  visit: Visit,
  repository: RepositoryName,
  { body, event, review }: TimelineEntry,
  { body: replaced, footer, header, ofReview }: TimelineExtras
): Html => {
  const { issues } = visit.texts
  const id = `issuecomment-${event.id}`
  const { created_at: at, type, user } = event
  if (type === "comment") {
    const text = replaced?.(event) ?? html`${body}${footer?.(event)}`
    return commentCard(visit, id, user, at, text, header?.(event))
  }
  if (type === "review") {
    const did = html`<span class="badge ${review === undefined ? "" : verdictKind[review.state]}">${issues.review[review?.state ?? "COMMENT"]}</span>`
    const lines = review?.comments_count ?? 0
    const about = lines > 0 ? html`<p class="soft">${icon("comment")} ${issues.lineComments(lines)}</p>` : nothing
    return commentCard(visit, id, user, at, html`${body}${about}${ofReview?.(event.review_id)}`, did)
  }
  const [name, text, about = ""] = (descriptions[type] ?? plain("pencil", "other"))(event, visit, repository)
  return html`<div class="event small" id="event-${event.id}"><span class="event-icon">${icon(name)}</span><span>${userLink(user)} ${text} ${about} <span class="soft">${time(visit, at)}</span></span></div>`
}

/** Renders a timeline, in the order of its entries. */
export const timelineView = (
  visit: Visit,
  repository: RepositoryName,
  entries: ReadonlyArray<TimelineEntry>,
  extras: TimelineExtras = {}
): Html => html`${entries.map((each) => entry(visit, repository, each, extras))}`
