import { area } from "../Action.ts"

const pull = area({
  on: "repository",
  base: "/repos/{username}/{reponame}/pulls",
  scope: ["repository"],
  guards: ["repo-visible", "PR-enabled"]
})

/** Pull requests: each action with its route and the guards of its row. */
export const pullActions = {
  "pull.list": pull("GET", "List the pull requests of a repository"),
  "pull.create": pull("POST", "Open a pull request", "sign-in", "not-archived"),
  "pull.list-pinned": pull("GET /pinned", "List the pinned pull requests of a repository"),
  "pull.comment.resolve": pull("POST /comments/{id}/resolve", "Mark a review comment as resolved", "sign-in"),
  "pull.comment.unresolve": pull("POST /comments/{id}/unresolve", "Mark a review comment as unresolved", "sign-in"),
  "pull.read": pull("GET /{index}", "Read a pull request"),
  "pull.edit": pull("PATCH /{index}", "Change a pull request", "sign-in"),
  "pull.diff": pull("GET /{index}.diff", "Read a pull request as a diff"),
  "pull.patch": pull("GET /{index}.patch", "Read a pull request as a patch"),
  "pull.update": pull("POST /{index}/update", "Bring the base branch into a pull request", "sign-in"),
  "pull.commit.list": pull("GET /{index}/commits", "List the commits of a pull request"),
  "pull.file.list": pull("GET /{index}/files", "List the changed files of a pull request"),
  "pull.merge.check": pull("GET /{index}/merge", "Tell whether a pull request is merged"),
  "pull.merge": pull("POST /{index}/merge", "Merge a pull request", "sign-in", "not-archived"),
  "pull.merge.cancel": pull(
    "DELETE /{index}/merge",
    "Cancel the scheduled merge of a pull request",
    "sign-in",
    "not-archived"
  ),
  "pull.review.list": pull("GET /{index}/reviews", "List the reviews of a pull request"),
  "pull.review.create": pull("POST /{index}/reviews", "Create a review of a pull request", "sign-in"),
  "pull.review.read": pull("GET /{index}/reviews/{id}", "Read a review of a pull request"),
  "pull.review.delete": pull("DELETE /{index}/reviews/{id}", "Delete a review of a pull request", "sign-in"),
  "pull.review.submit": pull("POST /{index}/reviews/{id}", "Submit a pending review", "sign-in"),
  "pull.review.comment.list": pull("GET /{index}/reviews/{id}/comments", "List the comments of a review"),
  "pull.review.dismiss": pull("POST /{index}/reviews/{id}/dismissals", "Dismiss a review", "sign-in"),
  "pull.review.undismiss": pull("POST /{index}/reviews/{id}/undismissals", "Undo the dismissal of a review", "sign-in"),
  "pull.requested-reviewer.add": pull(
    "POST /{index}/requested_reviewers",
    "Ask for reviews of a pull request",
    "sign-in"
  ),
  "pull.requested-reviewer.remove": pull(
    "DELETE /{index}/requested_reviewers",
    "Withdraw requests for reviews",
    "sign-in"
  ),
  "pull.comment.reply": pull("POST /{index}/comments/{id}/replies", "Reply to a review comment", "sign-in"),
  "pull.read-by-branches": pull("GET /{base}/*", "Read the pull request between two branches")
} as const
