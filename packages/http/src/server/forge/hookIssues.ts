import {
  type Comment,
  comments,
  type HookEvent,
  type HookNews,
  type Issue,
  IssueComments,
  issues,
  nobody,
  type Occurrence,
  refOf,
  viewOf
} from "@slipway/domain/forge"
import { Effect } from "effect"
import { messageAt, type Place } from "./hookParts.ts"
import { showCommentTo, showIssueTo } from "./showIssue.ts"

const acting = { actor: nobody }

type News = Pick<HookNews, "before" | "event">

/** Reads an issue as it is now; as it was before, where it is gone. */
const issueOf = Effect.fnUntraced(function* ({ repository }: Place, { before, event }: News) {
  const store = yield* issues.store
  const id = before.issue?.id ?? Number(event.details.id ?? 0)
  return (yield* store.find({ repositoryId: repository.id }, id)) ?? before.issue
})

const shownIssue = Effect.fnUntraced(function* ({ repository }: Place, issue: Issue) {
  const show = yield* showIssueTo(acting)
  return show(yield* viewOf(nobody, { issue, repository: refOf(repository) }))
})

const shownComment = Effect.fnUntraced(function* ({ repository }: Place, issue: Issue, comment: Comment) {
  const show = yield* showCommentTo(acting)
  return show(yield* IssueComments.viewOfComment(nobody, comment, issue, refOf(repository)))
})

/** What an event says of an issue: the kind of event and what was done. */
type Said = readonly [event: HookEvent, action: string]

const stateWords = { open: "reopened", closed: "closed" } as const

/** Returns what an edit of several fields was, one after the other. */
const editsOf = (changed: ReadonlyArray<string>, before: Issue | undefined, after: Issue): ReadonlyArray<Said> => [
  ...(changed.includes("title") || changed.includes("body") ? [["issues", "edited"] as const] : []),
  ...(changed.includes("state") && before?.state !== after.state ? [["issues", stateWords[after.state]] as const] : []),
  ...(before !== undefined && before.milestoneId !== after.milestoneId
    ? [["issue_milestone", after.milestoneId === null ? "demilestoned" : "milestoned"] as const]
    : []),
  ...(changed.includes("assignees") ? [["issue_assign", "assigned"] as const] : []),
  ...(before !== undefined && before.dueAt !== after.dueAt ? [["issues", "edited"] as const] : [])
]

const saidOf = ({ before, event }: News, issue: Issue, labels: number): ReadonlyArray<Said> => {
  switch (event.action) {
    case "issue.create":
      return [["issues", "opened"]]
    case "issue.delete":
      return [["issues", "deleted"]]
    case "issue.deadline.set":
      return [["issues", "edited"]]
    case "issue.edit":
      return editsOf(String(event.details.changed ?? "").split(", "), before.issue, issue)
    case "issue.assignee.add":
      return [["issue_assign", "assigned"]]
    case "issue.assignee.remove":
      return [["issue_assign", "unassigned"]]
    default:
      return [["issue_label", labels === 0 ? "label_cleared" : "label_updated"]]
  }
}

const commentWords = (action: string): string => {
  if (action === "issue.comment.create") return "created"
  return action.startsWith("issue.comment.edit") ? "edited" : "deleted"
}

const ofComment = Effect.fnUntraced(function* (place: Place, news: News, issue: Issue) {
  const { before, event } = news
  const id = before.comment?.id ?? Number(event.details.comment)
  const comment = (yield* (yield* comments.store).find({ issueId: issue.id }, id)) ?? before.comment
  if (comment === undefined) return []
  const shown = yield* shownComment(place, issue, comment)
  const action = commentWords(event.action)
  const title = `comment ${action} on #${issue.number} ${issue.title}`
  return [
    {
      event: issue.pull ? "pull_request_comment" : "issue_comment",
      branch: undefined,
      payload: {
        action,
        issue: yield* shownIssue(place, issue),
        comment: shown,
        ...(action === "edited" ? { changes: { body: { from: before.comment?.body ?? "" } } } : {}),
        is_pull: issue.pull,
        ...place.parts
      },
      message: messageAt(place, title, shown.html_url, [comment.body])
    } satisfies Occurrence
  ]
})

const changesOf = ({ before: { issue: before } }: News, action: string, after: Issue) => {
  if (action !== "edited" || before === undefined) return {}
  const title = before.title === after.title ? {} : { title: { from: before.title } }
  const body = before.body === after.body ? {} : { body: { from: before.body } }
  return { changes: { ...title, ...body } }
}

/** Writes what happened to an issue, or to what is said below one. */
export const ofIssue = Effect.fnUntraced(function* (place: Place, news: News) {
  const issue = yield* issueOf(place, news)
  if (issue === undefined) return []
  if (news.event.action.startsWith("issue.comment.")) return yield* ofComment(place, news, issue)
  // A pull request has payloads of its own.
  if (issue.pull) return []
  const shown = yield* shownIssue(place, issue)
  return saidOf(news, issue, shown.labels.length).map(
    ([event, action]): Occurrence => ({
      event,
      branch: undefined,
      payload: {
        action,
        number: issue.number,
        ...changesOf(news, action, issue),
        issue: shown,
        commit_id: "",
        ...place.parts
      },
      message: messageAt(place, `issue ${action}: #${issue.number} ${issue.title}`, shown.html_url, [issue.body])
    })
  )
})
