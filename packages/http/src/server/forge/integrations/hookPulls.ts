import { noRepositoryGrants } from "@slipway/domain/forge/code"
import { type Issue, type Review, type ReviewState, reviews } from "@slipway/domain/forge/collaboration"
import type { IssueSnapshot } from "@slipway/domain/forge/events"
import { nobody, type UserId, UserStore } from "@slipway/domain/forge/identity"
import type { HookEvent, Occurrence } from "@slipway/domain/forge/integrations"
import { pullViewOfSnapshot } from "@slipway/forge/collaboration"

import { Effect, Schedule } from "effect"
import { showUserTo } from "../base/show.ts"
import { showPullsTo } from "../collaboration/showPull.ts"
import { messageAt, type PayloadContext } from "./hookParts.ts"
import { changesOf, type HookEventRecord, issueHookEventsOf } from "./issueHookEvents.ts"

const acting = { actor: nobody }

/**
 * Returns the pull request part of a webhook payload; undefined if the pull request was deleted.
 *
 * The repository of a head in a fork is included only if everyone can read it.
 */
export const pullPart = Effect.fnUntraced(function* ({ parts, repository }: PayloadContext, snapshot: IssueSnapshot) {
  const views = yield* pullViewOfSnapshot({ ...acting, repository, grants: noRepositoryGrants }, snapshot).pipe(
    Effect.retry({ schedule: Schedule.spaced("1 second"), times: 5 }),
    // A machine that stays that busy reports less, rather than nothing.
    Effect.catchTag("GitOverloaded", () => Effect.succeed([]))
  )
  const [shown] = yield* showPullsTo(acting, views)
  if (shown === undefined) return undefined
  const inside = <S extends { readonly repo_id: number }>(side: S) =>
    side.repo_id === repository.id ? { ...side, repo: parts.repository } : side
  return { ...shown, base: inside(shown.base), head: inside(shown.head) }
})

/** Maps webhook events of issues to the corresponding events of pull requests. */
const ofPulls: Partial<Record<HookEvent, HookEvent>> = {
  issues: "pull_request",
  issue_assign: "pull_request_assign",
  issue_label: "pull_request_label",
  issue_milestone: "pull_request_milestone"
}

const verdicts: Partial<Record<ReviewState, HookEvent>> = {
  approved: "pull_request_review_approved",
  rejected: "pull_request_review_rejected",
  commented: "pull_request_review_comment"
}

/** One event of a pull request, with the additional fields of its payload. */
interface PullOccurrence {
  readonly event: HookEvent
  readonly action: string
  readonly lines: ReadonlyArray<string>
  readonly more: Readonly<Record<string, unknown>>
}

/** Returns the events of added or removed review requests, one for each reviewer. */
const requests = Effect.fnUntraced(function* ({ event }: HookEventRecord) {
  const ids = String(event.details.asked ?? "")
    .split(", ")
    .flatMap((id) => (id === "" ? [] : [Number(id) as UserId]))
  const people = yield* (yield* UserStore).findMany(nobody, ids)
  const show = yield* showUserTo(acting)
  const action = event.action.endsWith(".add") ? "review_requested" : "review_request_removed"
  return ids.flatMap((id): ReadonlyArray<PullOccurrence> => {
    const user = people.get(id)
    if (user === undefined) return []
    const more = { requested_reviewer: show(user) }
    return [{ event: "pull_request_review_request", action, lines: [user.name], more }]
  })
})

/** Returns the event of a submitted review; none for a pending review, which only its author may see. */
const reviewed = Effect.fnUntraced(function* ({ after, event }: HookEventRecord, issue: Issue) {
  const review: Review | undefined =
    after?.review ?? (yield* (yield* reviews.store).find({ issueId: issue.id }, Number(event.details.review)))
  const kind = review && verdicts[review.state]
  if (review === undefined || kind === undefined) return []
  const more = { commit_id: review.commit, review: { type: kind, content: review.body } }
  return [{ event: kind, action: "reviewed", lines: [review.body], more }] satisfies ReadonlyArray<PullOccurrence>
})

const synchronized = ({ before }: HookEventRecord, { pull }: IssueSnapshot): ReadonlyArray<PullOccurrence> => {
  if (pull === undefined) return []
  const more = { before: before.pull?.headSha ?? "", after: pull.headSha, commit_id: pull.headSha }
  return [{ event: "pull_request_sync", action: "synchronized", lines: [], more }]
}

const changed = ({ event, before }: HookEventRecord, base: string) =>
  event.action === "pull.edit" && before.pull !== undefined && before.pull.baseBranch !== base
    ? { ref: { from: before.pull.baseBranch } }
    : {}

const pullOccurrences = Effect.fnUntraced(function* (
  record: HookEventRecord,
  snapshot: IssueSnapshot,
  shown: { readonly labels: ReadonlyArray<unknown>; readonly base: { readonly ref: string } } | undefined
) {
  const { action } = record.event
  const { issue } = snapshot
  if (action.startsWith("pull.requested-reviewer.")) return yield* requests(record)
  if (action.startsWith("pull.review.") || action === "pull.comment.reply") return yield* reviewed(record, issue)
  if (action === "pull.update") return synchronized(record, snapshot)
  return issueHookEventsOf(record, issue, snapshot.details.labels.length).map(([event, word]): PullOccurrence => {
    const isEdit = word === "edited"
    const changes = { ...changesOf(record, word, issue), ...changed(record, shown?.base.ref ?? "") }
    return {
      event: ofPulls[event] ?? event,
      action: word,
      lines: word === "opened" || isEdit ? [issue.body] : [],
      more: isEdit ? { changes } : {}
    }
  })
})

/**
 * Builds the webhook payloads of an event on a pull request.
 *
 * If the pull request is deleted or cannot be read, the payloads contain only the recorded fields.
 */
export const ofPull = Effect.fnUntraced(function* (
  place: PayloadContext,
  record: HookEventRecord,
  snapshot: IssueSnapshot
) {
  const { issue } = snapshot
  const shown = yield* pullPart(place, snapshot)
  const { number, title } = issue
  const occurrences = yield* pullOccurrences(record, snapshot, shown)
  const gone = { id: issue.id, number, title, body: issue.body, state: issue.state }
  const page = `${place.url}/pulls/${number}`
  return occurrences.map(({ action, event, lines, more }): Occurrence => {
    const isMerge = record.event.action === "pull.merge"
    return {
      event,
      branch: undefined,
      payload: {
        action,
        number,
        pull_request: shown ?? gone,
        requested_reviewer: null,
        commit_id: "",
        review: null,
        ...more,
        ...place.parts
      },
      message: messageAt(place, `pull request ${isMerge ? "merged" : action}: #${number} ${title}`, page, lines)
    }
  })
})
