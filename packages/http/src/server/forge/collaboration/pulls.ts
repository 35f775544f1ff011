import { type IgnoredWhitespace, ignoredWhitespaces } from "@slipway/domain/forge/code"
import type { IssueOrder } from "@slipway/domain/forge/collaboration"
import { numberIn } from "@slipway/domain/forge/entry"
import {
  BranchUpdates,
  Merges,
  PullChanges,
  Pulls,
  Reverting,
  ReviewComments,
  Reviews
} from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { BodyOf } from "../../../api/forge/base/endpoints.ts"
import { isYes } from "../../../api/forge/base/schemas.ts"
import {
  type CreatePullReviewOptions,
  type MergePullRequestOption,
  type PullReviewRequestOptions,
  pullEndpoints,
  reviewEndpoints
} from "../../../api/forge/collaboration/pulls.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { readOptionalTime } from "../base/queries.ts"
import { showUserTo } from "../base/show.ts"
import { showCommitsOf } from "../code/commits.ts"
import { textOf } from "../code/pullPatches.ts"
import { linksOf, restOfPath } from "../code/repositoryLinks.ts"
import { handle, shown, shownAll, shownOne } from "../entry/handle.ts"
import { showChangedFile, showPullsTo, showReviewCommentTo, showReviewTo } from "./showPull.ts"

const orders: Readonly<Record<string, IssueOrder>> = { recentclose: "recentupdate", priority: "newest" }

/** The number of path segments before the head branch: `api/v1/repos/owner/name/pulls/base`. */
const partsBeforeHead = 7

const people = ({
  assignee,
  assignees
}: {
  readonly assignee?: string
  readonly assignees?: ReadonlyArray<string>
}): { readonly assignees?: ReadonlyArray<string> } => {
  const all = [...(assignees ?? []), ...(assignee === undefined || assignee === "" ? [] : [assignee])]
  return assignees === undefined && all.length === 0 ? {} : { assignees: [...new Set(all)] }
}

const mergeInput = (body: BodyOf<typeof MergePullRequestOption>, deletes: boolean): Merges.MergeInput => ({
  style: body.Do,
  title: body.MergeTitleField ?? "",
  message: body.MergeMessageField ?? "",
  commit: body.MergeCommitID,
  head: body.head_commit_id,
  deleteBranch: body.delete_branch_after_merge ?? deletes,
  force: body.force_merge ?? false,
  whenChecksSucceed: body.merge_when_checks_succeed ?? false
})

const whitespaceIn = (query: string | undefined): IgnoredWhitespace | undefined =>
  ignoredWhitespaces.find((each) => query === `ignore-${each}`)

/** The handlers of pull requests. */
export const layerPulls = handle(
  pullEndpoints,
  {
    "pull.list": ({ page, proof, query }) => {
      const { base_branch, labels = "", milestone, poster, sort = "newest", state = "open" } = query
      const search: Pulls.PullSearch = {
        state: state === "all" ? undefined : state,
        baseBranch: base_branch === "" ? undefined : base_branch,
        milestone: milestone === undefined ? undefined : Number(milestone),
        labels: labels.split(",").flatMap((each) => (each.trim() === "" ? [] : [numberIn(each.trim())])),
        poster: poster === "" ? undefined : poster
      }
      return Pulls.list(proof, search, orders[sort] ?? (sort as IssueOrder), page)
    },
    "pull.list-pinned": ({ proof }) => Pulls.listPinned(proof),
    "pull.create": ({ body, proof }) => {
      const { allow_maintainer_edit, assignee, assignees, due_date, team_reviewers, ...said } = body
      return Pulls.create(proof, {
        ...said,
        body: said.body ?? "",
        ...people({
          ...(assignee === undefined ? {} : { assignee }),
          ...(assignees === undefined ? {} : { assignees })
        }),
        allowMaintainerEdit: allow_maintainer_edit,
        teamReviewers: team_reviewers,
        dueAt: readOptionalTime(due_date)
      })
    },
    "pull.read": ({ proof }) => Pulls.read(proof),
    "pull.read-by-branches": ({ params, proof, request }) =>
      Pulls.byBranches(proof, params.base, restOfPath(request, partsBeforeHead)),
    "repository.commit.pull": ({ params, proof }) => Pulls.ofCommit(proof, params.sha),
    "pull.edit": ({ body, proof }) => {
      const { allow_maintainer_edit, assignee, assignees, content_version, due_date, unset_due_date, ...said } = body
      return Pulls.edit(proof, {
        ...said,
        // Clients that change a title also send 0.
        milestone: said.milestone === 0 ? undefined : said.milestone,
        ...people({
          ...(assignee === undefined ? {} : { assignee }),
          ...(assignees === undefined ? {} : { assignees })
        }),
        allowMaintainerEdit: allow_maintainer_edit,
        contentVersion: content_version,
        dueAt: unset_due_date === true ? null : readOptionalTime(due_date)
      })
    },
    "pull.diff": textOf("diff"),
    "pull.patch": textOf("mails"),
    "pull.commit.list": Effect.fnUntraced(function* ({ page, proof, query }) {
      const { files = "true", verification = "true" } = query
      // The size of each change is included with the files or without.
      const details = { changes: true, verification: isYes(verification) }
      const { commits, people, total } = yield* PullChanges.commits(proof, details, page)
      const show = yield* showCommitsOf(proof.resource, people, { files: isYes(files), stat: true })
      return shown({ rows: commits.map(show), total })
    }),
    "pull.file.list": Effect.fnUntraced(function* ({ page, proof, query }) {
      const links = linksOf(yield* PublicUrl, proof.resource.repository)
      const { rows, total } = yield* PullChanges.files(proof, page, {
        from: query["skip-to"],
        whitespace: whitespaceIn(query.whitespace)
      })
      return shown({ rows: rows.map(showChangedFile(links, proof.resource.pull.headSha)), total })
    }),
    "pull.revert": ({ proof }) => Reverting.revert(proof),
    "pull.update": ({ proof, query }) => BranchUpdates.update(proof, query.style ?? "merge"),
    "pull.merge.check": ({ proof }) => Effect.succeed(Merges.isMerged(proof)),
    "pull.merge": Effect.fnUntraced(function* ({ body, proof }) {
      const { preferences } = proof.resource.repository
      const outcome = yield* Merges.merge(proof, mergeInput(body, preferences.default_delete_branch_after_merge))
      return HttpServerResponse.empty({ status: outcome === "merged" ? 200 : 201 })
    }),
    "pull.merge.cancel": ({ proof }) => Merges.cancel(proof)
  },
  { showAllTo: showPullsTo }
)

const verdicts = {
  APPROVED: "approved",
  APPROVE: "approved",
  PENDING: "pending",
  COMMENT: "commented",
  REQUEST_CHANGES: "rejected"
} as const

const lineCommentsIn = (
  comments: BodyOf<typeof CreatePullReviewOptions>["comments"]
): ReadonlyArray<Reviews.LineComment> =>
  (comments ?? []).map(({ body, new_position, old_position, path }) => {
    const line = new_position ?? 0
    return line > 0 ? { path, body, side: "new", line } : { path, body, side: "old", line: old_position ?? 0 }
  })

const reviewersIn = ({ reviewers, team_reviewers }: BodyOf<typeof PullReviewRequestOptions>): Reviews.Named => ({
  users: reviewers ?? [],
  teams: team_reviewers ?? []
})

/** The handlers of reviews. */
export const layerReviews = handle(
  reviewEndpoints,
  {
    "pull.review.list": ({ page, proof }) => Reviews.list(proof, page),
    "pull.review.create": ({ body, proof }) =>
      Reviews.create(proof, {
        verdict: verdicts[body.event ?? "PENDING"],
        body: body.body ?? "",
        commit: body.commit_id,
        remarks: lineCommentsIn(body.comments)
      }),
    "pull.review.read": ({ proof }) => Reviews.read(proof),
    "pull.review.submit": ({ body, proof }) =>
      Reviews.submit(proof, { verdict: verdicts[body.event ?? "PENDING"], body: body.body ?? "" }),
    "pull.review.delete": ({ proof }) => Reviews.remove(proof),
    "pull.review.comment.list": ({ proof }) =>
      shownAll(ReviewComments.list(proof), showReviewCommentTo(proof.resource)),
    "pull.review.dismiss": ({ body, proof }) =>
      Reviews.dismiss(proof, { message: body.message ?? "", priors: body.priors ?? false }),
    "pull.review.undismiss": ({ proof }) => Reviews.undismiss(proof),
    "pull.requested-reviewer.add": ({ body, proof }) => Reviews.ask(proof, reviewersIn(body)),
    "pull.requested-reviewer.remove": ({ body, proof }) => Reviews.withdrawn(proof, reviewersIn(body)),
    "pull.comment.list": ({ proof }) => shownAll(ReviewComments.listAll(proof), showReviewCommentTo(proof.resource)),
    "pull.comment.reply": ({ body, proof }) =>
      shownOne(ReviewComments.reply(proof, body.body), showReviewCommentTo(proof.resource)),
    "pull.comment.resolve": ({ proof }) => ReviewComments.resolve(proof),
    "pull.comment.unresolve": ({ proof }) => ReviewComments.unresolve(proof),
    "repository.reviewer.list": ({ proof }) => shownAll(Reviews.candidates(proof), showUserTo(proof.resource))
  },
  { showTo: showReviewTo }
)
