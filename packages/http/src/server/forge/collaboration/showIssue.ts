import type { RepositoryFacts } from "@slipway/domain/forge/access"
import type { Label, Repository } from "@slipway/domain/forge/code"
import {
  type CountedMilestone,
  isDraft,
  type PlacedIssue,
  type PlacedMilestone,
  type RepositoryRef,
  type TimelineEvent
} from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import {
  countsOf,
  type IssueComments,
  type IssueView,
  type PeopleById,
  type ReadKinds,
  readableIn,
  type Times
} from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showPersonTo, showTeamTo, type ViewerResource } from "../base/show.ts"
import { showAttachment } from "../code/showAttachment.ts"

type Numbered = Pick<PlacedIssue["issue"], "number" | "pull">

const showMilestone = (milestone: CountedMilestone, reads: ReadKinds) => {
  const { closed, open } = countsOf(milestone, reads)
  return {
    id: milestone.id,
    title: milestone.title,
    description: milestone.description,
    state: milestone.state,
    open_issues: open,
    closed_issues: closed,
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    closed_at: milestone.closedAt,
    due_on: milestone.dueAt
  }
}

/** Converts a milestone to its API response, with its repository; counts only issues that the caller may read. */
export const showPlacedMilestone = ({ milestone, reads, repository: { id, name, owner } }: PlacedMilestone) => ({
  ...showMilestone(milestone, reads),
  repository: { id, name, owner, full_name: `${owner}/${name}` }
})

/** Returns a function that converts a milestone to its API response; counts only issues that the caller may read. */
export const showMilestoneTo = ({
  facts,
  repository
}: {
  readonly facts: RepositoryFacts
  readonly repository: Pick<Repository, "id">
}) => {
  const reads = readableIn(repository, facts)
  return Effect.succeed((milestone: CountedMilestone) => showMilestone(milestone, reads))
}

/**
 * Returns a function that returns whether issues, pull requests or both are counted in the milestone of an issue.
 *
 * Only what the caller may read is counted. In another repository than that of the request, only the kind of the given
 * issue is known to be readable.
 */
const readKindsTo = (acting: ViewerResource): ((issue: Pick<PlacedIssue, "issue" | "repository">) => ReadKinds) => {
  const at = acting as Partial<{ readonly facts: RepositoryFacts; readonly repository: Pick<Repository, "id"> }>
  const here = at.repository && at.facts && readableIn(at.repository, at.facts)
  return ({ issue, repository }) =>
    here?.repositoryId === repository.id ? here : { issues: !issue.pull, pulls: issue.pull }
}

const labelsIn = (rootUrl: string, { name, owner }: Pick<RepositoryRef, "name" | "owner">) => {
  const whose = encodeURIComponent(owner)
  const own = `${rootUrl}/api/v1/repos/${whose}/${encodeURIComponent(name)}/labels`
  const shared = `${rootUrl}/api/v1/orgs/${whose}/labels`
  return (label: Label) => ({
    id: label.id,
    name: label.name,
    color: label.color,
    description: label.description,
    exclusive: label.exclusive,
    is_archived: label.archived,
    url: `${label.repositoryId === null ? shared : own}/${label.id}`
  })
}

/** Returns a function that converts a label of a repository's issues to its API response. */
export const showLabelIn = ({ repository }: { readonly repository: Pick<Repository, "name" | "owner"> }) =>
  Effect.map(PublicUrl, ({ rootUrl }) => labelsIn(rootUrl, { name: repository.name, owner: repository.owner.name }))

/** Returns functions for the API URL and the web URL of a repository's issues. */
const addressesIn = (rootUrl: string, { name, owner }: RepositoryRef) => {
  const path = `${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
  return {
    api: ({ number }: Numbered) => `${rootUrl}/api/v1/repos/${path}/issues/${number}`,
    page: ({ number, pull }: Numbered) => `${rootUrl}/${path}/${pull ? "pulls" : "issues"}/${number}`
  }
}

const personIn =
  <Shown>(show: (user: NonNullable<ReturnType<PeopleById["get"]>>) => Shown, ghost: () => Shown) =>
  (people: PeopleById, id: UserId): Shown => {
    const user = people.get(id)
    return user === undefined ? ghost() : show(user)
  }

/** Returns a function that converts an issue or pull request to the API response for the actor. */
export const showIssueTo = Effect.fnUntraced(function* (acting: ViewerResource) {
  const { rootUrl } = yield* PublicUrl
  const { ghost, show } = yield* showPersonTo(acting)
  const person = personIn(show, ghost)
  const showAsset = yield* showAttachment
  const kinds = readKindsTo(acting)
  return ({ assets, details, issue, origin, people, repository }: IssueView) => {
    const { api, page } = addressesIn(rootUrl, repository)
    const assigned = details.assigneeIds.map((id) => person(people, id))
    return {
      id: issue.id,
      url: api(issue),
      html_url: page(issue),
      number: issue.number,
      user: person(people, issue.authorId),
      original_author: origin?.author ?? "",
      original_author_id: origin?.authorId ?? 0,
      title: issue.title,
      body: issue.body,
      content_version: issue.contentVersion,
      ref: issue.ref,
      assets: assets.map(showAsset),
      labels: details.labels.map(labelsIn(rootUrl, repository)),
      milestone:
        details.milestone === undefined ? null : showMilestone(details.milestone, kinds({ issue, repository })),
      assignee: assigned[0] ?? null,
      assignees: assigned.length === 0 ? null : assigned,
      state: issue.state,
      is_locked: issue.locked,
      comments: details.comments,
      created_at: issue.createdAt,
      updated_at: issue.updatedAt,
      closed_at: issue.closedAt,
      due_date: issue.dueAt,
      time_estimate: issue.timeEstimate,
      pull_request: issue.pull
        ? {
            merged: details.merge?.merged ?? false,
            merged_at: details.merge?.mergedAt ?? null,
            draft: isDraft(issue.title),
            html_url: page(issue)
          }
        : null,
      repository: {
        id: repository.id,
        name: repository.name,
        owner: repository.owner,
        full_name: `${repository.owner}/${repository.name}`
      },
      pin_order: issue.pinOrder
    }
  }
})

/** Returns a function that converts a comment to the API response for the actor. */
export const showCommentTo = Effect.fnUntraced(function* (acting: ViewerResource) {
  const { rootUrl } = yield* PublicUrl
  const { ghost, show } = yield* showPersonTo(acting)
  const person = personIn(show, ghost)
  const showAsset = yield* showAttachment
  return ({ assets, comment, issue, origin, people, repository }: IssueComments.CommentView) => {
    const url = addressesIn(rootUrl, repository).page(issue)
    return {
      id: comment.id,
      html_url: `${url}#issuecomment-${comment.id}`,
      pull_request_url: issue.pull ? url : "",
      issue_url: issue.pull ? "" : url,
      user: person(people, comment.authorId),
      original_author: origin?.author ?? "",
      original_author_id: origin?.authorId ?? 0,
      body: comment.body,
      content_version: comment.contentVersion,
      assets: assets.map(showAsset),
      created_at: comment.createdAt,
      updated_at: comment.updatedAt
    }
  }
})

/** Returns a function that converts a tracked time to the API response for the actor. */
export const showTimeTo = (acting: ViewerResource) =>
  Effect.map(showIssueTo(acting), (showIssue) => ({ issue, people, time }: Times.TimeView) => ({
    id: time.id,
    created: time.createdAt,
    time: time.seconds,
    user_id: time.userId,
    user_name: people.get(time.userId)?.name ?? "Ghost",
    issue_id: time.issueId,
    issue: showIssue(issue)
  }))

const counted = (count: number, unit: string): ReadonlyArray<string> =>
  count === 0 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`]

/**
 * Returns a duration in seconds as text, like Gitea in timelines: hours and minutes, or seconds below a minute.
 *
 * @example
 * durationText(5430) // => "1 hour 30 minutes"
 * durationText(59) // => "59 seconds"
 */
export const durationText = (seconds: number): string => {
  const parts = [...counted(Math.floor(seconds / 3_600), "hour"), ...counted(Math.floor(seconds / 60) % 60, "minute")]
  return (parts.length === 0 ? counted(seconds, "second") : parts).join(" ")
}

const addedOrNot = (removed: boolean | undefined): string => (removed === true ? "" : "1")

const timeTypes: ReadonlyArray<string> = ["add_time_manual", "delete_time_manual", "stop_tracking"]

/** Returns the body of a timeline event: tracked times are stored as `|` and seconds. */
const bodyOf = ({ details: { body = "", removed }, type }: TimelineEvent, timeHidden: boolean): string => {
  if (type === "label") return addedOrNot(removed)
  if (timeHidden) return ""
  const [, seconds] = (timeTypes.includes(type) ? /^\|(\d+)$/.exec(body) : null) ?? []
  return seconds === undefined ? body : durationText(Number(seconds))
}

const references: ReadonlyArray<string> = ["issue_ref", "pull_ref", "comment_ref", "commit_ref"]

/** Returns a function that converts a timeline entry to the API response for the actor. */
export const showTimelineTo = Effect.fnUntraced(function* (acting: ViewerResource) {
  const { rootUrl } = yield* PublicUrl
  const { ghost, show } = yield* showPersonTo(acting)
  const person = personIn(show, ghost)
  const showIssue = yield* showIssueTo(acting)
  const showComment = yield* showCommentTo(acting)
  const showTeam = yield* showTeamTo(acting)
  const showTime = yield* showTimeTo(acting)
  const kinds = readKindsTo(acting)
  return (row: IssueComments.TimelineView) => {
    const { entry, issue, other, otherComment, people, repository, team, timeHidden, trackedTime } = row
    const url = addressesIn(rootUrl, repository).page(issue)
    const place = { pull_request_url: issue.pull ? url : "", issue_url: issue.pull ? "" : url }
    const nothing = {
      old_project_id: 0,
      project_id: 0,
      old_milestone: null,
      milestone: null,
      tracked_time: null,
      old_title: "",
      new_title: "",
      old_ref: "",
      new_ref: "",
      ref_issue: null,
      ref_comment: null,
      ref_action: "none",
      ref_commit_sha: "",
      review_id: 0,
      label: null,
      assignee: null,
      assignee_team: null,
      removed_assignee: false,
      resolve_doer: null,
      dependent_issue: null
    }
    if (entry.kind === "comment") {
      const { comment } = entry
      return {
        ...nothing,
        ...place,
        id: comment.id,
        type: "comment",
        html_url: `${url}#issuecomment-${comment.id}`,
        user: person(people, comment.authorId),
        body: comment.body,
        created_at: comment.createdAt,
        updated_at: comment.updatedAt
      }
    }
    const { event, label, milestone, oldMilestone } = entry
    const { details } = event
    const isReference = references.includes(event.type)
    return {
      ...nothing,
      ...place,
      id: event.id,
      type: event.type,
      html_url: `${url}#event-${event.id}`,
      user: person(people, event.actorId),
      body: bodyOf(event, timeHidden),
      created_at: event.createdAt,
      updated_at: event.createdAt,
      old_milestone: oldMilestone === undefined ? null : showMilestone(oldMilestone, kinds(row)),
      milestone: milestone === undefined ? null : showMilestone(milestone, kinds(row)),
      old_title: details.oldTitle ?? "",
      new_title: details.newTitle ?? "",
      old_ref: details.oldRef ?? "",
      new_ref: details.newRef ?? "",
      ref_issue: isReference && other !== undefined ? showIssue(other) : null,
      ref_comment: otherComment === undefined ? null : showComment(otherComment),
      ref_action: details.refAction ?? "none",
      ref_commit_sha: details.commit ?? "",
      review_id: details.reviewId ?? 0,
      label: label === undefined ? null : labelsIn(rootUrl, repository)(label),
      assignee: details.assigneeId === undefined ? null : person(people, details.assigneeId as UserId),
      assignee_team: team === undefined ? null : showTeam(team),
      tracked_time: trackedTime === undefined ? null : showTime({ ...trackedTime, people }),
      removed_assignee: ["assignees", "review_request"].includes(event.type) && details.removed === true,
      dependent_issue: !isReference && other !== undefined ? showIssue(other) : null
    }
  }
})
