import { area, asking } from "../Action.ts"

const base = "/repos/{username}/{reponame}/pulls"
const guards = ["repo-visible", "PR-enabled"] as const
const scope = ["repository"] as const
const pulls = area({ on: "repository", base, scope, guards })
const pull = area({ on: "pull", base, scope, guards, asks: ["found"] })
const review = area({ on: "review", base, scope, guards, asks: ["found", "review-visible"] })
const comment = area({ on: "reviewComment", base, scope, guards, asks: ["found", "review-visible"] })
const thread = area({ on: "reviewThread", base, scope, guards, asks: ["found", "review-visible"] })

/** The actions on pull requests, each with its route and its guards (named access checks). */
export const pullActions = {
  "pull.list": pulls("GET", "List the pull requests of a repository"),
  "pull.create": asking(pulls("POST", "Open a pull request", "sign-in", "not-archived"), "R:code", "not-blocked"),
  "pull.list-pinned": pulls("GET /pinned", "List the pinned pull requests of a repository"),
  "pull.comment.resolve": asking(
    comment("POST /comments/{id}/resolve", "Mark a review comment as resolved", "sign-in"),
    "author-or-pull-write"
  ),
  "pull.comment.unresolve": asking(
    comment("POST /comments/{id}/unresolve", "Mark a review comment as unresolved", "sign-in"),
    "author-or-pull-write"
  ),
  "pull.read": pull("GET /{index}", "Read a pull request"),
  "pull.edit": asking(pull("PATCH /{index}", "Change a pull request", "sign-in"), "author-or-pull-write"),
  "pull.diff": asking(pull("GET /{index}.diff", "Read a pull request as a diff"), "R:code"),
  "pull.patch": asking(pull("GET /{index}.patch", "Read a pull request as a patch"), "R:code"),
  "pull.update": pull("POST /{index}/update", "Update the head branch of a pull request from its base", "sign-in"),
  "pull.commit.list": asking(pull("GET /{index}/commits", "List the commits of a pull request"), "R:code"),
  "pull.file.list": asking(pull("GET /{index}/files", "List the changed files of a pull request"), "R:code"),
  "pull.comment.list": asking(pull("GET /{index}/comments", "List the review comments of a pull request"), "R:code"),
  "pull.merge.check": pull("GET /{index}/merge", "Check whether a pull request is merged"),
  "pull.merge": asking(pull("POST /{index}/merge", "Merge a pull request", "sign-in", "not-archived"), "W:code"),
  "pull.merge.cancel": asking(
    pull("DELETE /{index}/merge", "Cancel the scheduled merge of a pull request", "sign-in", "not-archived"),
    "W:code"
  ),
  "pull.revert": asking(
    pull("POST /{index}/revert", "Open a pull request that undoes a merged one", "sign-in", "not-archived"),
    "W:code",
    "not-blocked"
  ),
  "pull.review.list": pull("GET /{index}/reviews", "List the reviews of a pull request"),
  "pull.review.create": asking(
    pull("POST /{index}/reviews", "Create a review of a pull request", "sign-in"),
    "R:code",
    "pull-unlocked",
    "not-archived",
    "not-blocked"
  ),
  "pull.review.read": review("GET /{index}/reviews/{id}", "Read a review of a pull request"),
  "pull.review.delete": asking(
    review("DELETE /{index}/reviews/{id}", "Delete a review of a pull request", "sign-in"),
    "reviewer-or-site-admin"
  ),
  "pull.review.submit": asking(
    review("POST /{index}/reviews/{id}", "Submit a pending review", "sign-in"),
    "reviewer",
    "pull-unlocked",
    "not-archived"
  ),
  "pull.review.comment.list": asking(
    review("GET /{index}/reviews/{id}/comments", "List the comments of a review"),
    "R:code"
  ),
  "pull.review.dismiss": asking(
    review("POST /{index}/reviews/{id}/dismissals", "Dismiss a review", "sign-in"),
    "repo-admin",
    "not-archived"
  ),
  "pull.review.undismiss": asking(
    review("POST /{index}/reviews/{id}/undismissals", "Undo the dismissal of a review", "sign-in"),
    "repo-admin",
    "not-archived"
  ),
  "pull.requested-reviewer.add": asking(
    pull("POST /{index}/requested_reviewers", "Request reviews of a pull request", "sign-in"),
    "author-or-pull-write",
    "not-archived"
  ),
  // Requested reviewers may withdraw their own request; for others the use case requires the permission to request.
  "pull.requested-reviewer.remove": pull("DELETE /{index}/requested_reviewers", "Cancel review requests", "sign-in"),
  "pull.comment.reply": asking(
    thread("POST /{index}/comments/{id}/replies", "Reply to a review comment", "sign-in"),
    "R:code",
    "pull-unlocked",
    "not-archived",
    "not-blocked"
  ),
  "pull.read-by-branches": pulls("GET /{base}/*", "Read the pull request between two branches")
} as const
