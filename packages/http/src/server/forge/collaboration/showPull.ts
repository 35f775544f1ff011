import type { FileChange, RepositoryWithGrants } from "@slipway/domain/forge/code"
import { isDraft, type ReviewState } from "@slipway/domain/forge/collaboration"
import type { PullView, ReviewComments, Reviews } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showPersonTo, showTeamTo, type ViewerResource } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"
import { linksOf, pathInUrl, type RepositoryLinks } from "../code/repositoryLinks.ts"
import { showIssueTo } from "./showIssue.ts"

/** Converts pull requests to API responses for the actor; reads related rows in one query for all. */
export const showPullsTo = Effect.fnUntraced(function* (acting: ViewerResource, rows: ReadonlyArray<PullView>) {
  const publicUrl = yield* PublicUrl
  const showIssue = yield* showIssueTo(acting)
  const { ghost, show } = yield* showPersonTo(acting)
  const showTeam = yield* showTeamTo(acting)
  const held = new Map(
    rows.flatMap(({ base, head }) =>
      [base, ...(head === undefined ? [] : [head])].map((each) => [each.repository.id, each])
    )
  )
  const shown = yield* showRepositoriesTo(acting, [...held.values()])
  const repositories = new Map(shown.map((each) => [each.id as number, each]))
  const repositoryOf = (of: RepositoryWithGrants | undefined) =>
    of === undefined ? null : (repositories.get(of.repository.id) ?? null)
  return rows.map(
    ({ askedTeams, askedUsers, base, blocks, head, mergeable, people, pull, reviewComments, view }: PullView) => {
      const issue = showIssue(view)
      const links = linksOf(publicUrl, base.repository)
      const page = `${links.html}/pulls/${issue.number}`
      const merger = pull.mergerId === null ? undefined : people.get(pull.mergerId)
      const isElsewhere = pull.headRepositoryId !== base.repository.id
      return {
        id: issue.id,
        url: `${links.api}/pulls/${issue.number}`,
        number: issue.number,
        user: issue.user,
        title: issue.title,
        body: issue.body,
        labels: issue.labels,
        milestone: issue.milestone,
        assignee: issue.assignee,
        assignees: issue.assignees,
        requested_reviewers: askedUsers.map(show),
        requested_reviewers_teams: askedTeams.map(showTeam),
        state: issue.state,
        draft: isDraft(issue.title),
        is_locked: issue.is_locked,
        comments: issue.comments,
        review_comments: reviewComments,
        additions: pull.additions,
        deletions: pull.deletions,
        changed_files: pull.changedFiles,
        html_url: page,
        diff_url: `${page}.diff`,
        patch_url: `${page}.patch`,
        mergeable,
        merged: pull.merged,
        merged_at: pull.mergedAt,
        merge_commit_sha: pull.mergeCommit,
        merged_by: merger === undefined ? (pull.mergerId === null ? null : ghost()) : show(merger),
        allow_maintainer_edit: pull.allowMaintainerEdit,
        base: {
          label: pull.baseBranch,
          ref: pull.baseBranch,
          sha: pull.baseSha,
          repo_id: base.repository.id,
          repo: repositoryOf(base)
        },
        head: {
          label: isElsewhere
            ? `${pull.headOwner}${typeof pull.pushedBy === "number" ? "/" : ":"}${pull.headBranch}`
            : pull.headBranch,
          ref: pull.headRepositoryId === null ? `refs/pull/${issue.number}/head` : pull.headBranch,
          sha: pull.headSha,
          repo_id: head?.repository.id ?? -1,
          repo: repositoryOf(head)
        },
        merge_base: pull.mergeBase,
        due_date: issue.due_date,
        created_at: issue.created_at,
        updated_at: issue.updated_at,
        closed_at: issue.closed_at,
        pin_order: issue.pin_order,
        content_version: issue.content_version,
        conflicted_files: pull.conflicts,
        blocked_by: blocks
      }
    }
  )
})

/** Converts a file that a pull request changes to its API response. */
export const showChangedFile =
  (links: RepositoryLinks, head: string) =>
  ({ additions, after, before, deletions, status }: FileChange) => {
    const path = (after ?? before)?.path ?? ""
    const at = `${pathInUrl(path)}`
    return {
      filename: path,
      ...(status === "renamed" || status === "copied" ? { previous_filename: before?.path ?? "" } : {}),
      status: status === "modified" ? ("changed" as const) : status,
      additions,
      deletions,
      changes: additions + deletions,
      html_url: `${links.html}/src/commit/${head}/${at}`,
      contents_url: `${links.api}/contents/${at}?ref=${head}`,
      raw_url: `${links.html}/raw/commit/${head}/${at}`
    }
  }

const states: {
  readonly [S in ReviewState]: "APPROVED" | "COMMENT" | "PENDING" | "REQUEST_CHANGES" | "REQUEST_REVIEW"
} = {
  pending: "PENDING",
  approved: "APPROVED",
  rejected: "REQUEST_CHANGES",
  commented: "COMMENT",
  requested: "REQUEST_REVIEW"
}

type InRepository = ViewerResource & { readonly repository: RepositoryWithGrants["repository"] }

/** Returns a function that converts a review to the API response for the actor. */
export const showReviewTo = Effect.fnUntraced(function* (acting: InRepository) {
  const publicUrl = yield* PublicUrl
  const { ghost, show } = yield* showPersonTo(acting)
  const showTeam = yield* showTeamTo(acting)
  const links = linksOf(publicUrl, acting.repository)
  return ({ comments, issue, review, reviewer, stale, team }: Reviews.ReviewView) => {
    const page = `${links.html}/pulls/${issue.number}`
    return {
      id: review.id,
      user: reviewer === undefined ? (review.teamId === null ? ghost() : null) : show(reviewer),
      team: team === undefined ? null : showTeam(team),
      state: states[review.state],
      body: review.body,
      commit_id: review.commit,
      stale: stale && review.state !== "requested",
      official: review.official,
      dismissed: review.dismissed,
      comments_count: comments,
      submitted_at: review.submittedAt,
      updated_at: review.updatedAt,
      html_url: `${page}#review-${review.id}`,
      pull_request_url: page
    }
  }
})

/** Returns a function that converts a review comment to its JSON response for the actor. */
export const showReviewCommentTo = Effect.fnUntraced(function* (acting: InRepository) {
  const publicUrl = yield* PublicUrl
  const { ghost, show } = yield* showPersonTo(acting)
  const links = linksOf(publicUrl, acting.repository)
  return ({ comment, issue, people }: ReviewComments.ReviewCommentView) => {
    const page = `${links.html}/pulls/${issue.number}`
    const author = people.get(comment.authorId)
    const resolver = comment.resolverId === null ? undefined : people.get(comment.resolverId)
    const isOld = comment.side === "old"
    return {
      id: comment.id,
      body: comment.body,
      user: author === undefined ? ghost() : show(author),
      resolver: resolver === undefined ? null : show(resolver),
      pull_request_review_id: comment.reviewId,
      created_at: comment.createdAt,
      updated_at: comment.updatedAt,
      path: comment.path,
      commit_id: comment.commit,
      original_commit_id: comment.originalCommit,
      diff_hunk: comment.hunk,
      position: isOld ? 0 : comment.line,
      original_position: isOld ? comment.line : 0,
      html_url: `${page}#issuecomment-${comment.id}`,
      pull_request_url: page
    }
  }
})
