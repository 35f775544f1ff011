import { area } from "../Action.ts"

const pull = area({
  on: "repository",
  base: "/repos/{username}/{reponame}/pulls",
  scope: ["repository"],
  guards: ["repo-visible", "PR-enabled"]
})

/** Pull requests: each action with its route and the guards of its row. */
export const pullActions = {
  "pull.list": pull("GET"),
  "pull.create": pull("POST", "T", "NA"),
  "pull.list-pinned": pull("GET /pinned"),
  "pull.comment.resolve": pull("POST /comments/{id}/resolve", "T"),
  "pull.comment.unresolve": pull("POST /comments/{id}/unresolve", "T"),
  "pull.read": pull("GET /{index}"),
  "pull.edit": pull("PATCH /{index}", "T"),
  "pull.diff": pull("GET /{index}.diff"),
  "pull.patch": pull("GET /{index}.patch"),
  "pull.update": pull("POST /{index}/update", "T"),
  "pull.commit.list": pull("GET /{index}/commits"),
  "pull.file.list": pull("GET /{index}/files"),
  "pull.merge.check": pull("GET /{index}/merge"),
  "pull.merge": pull("POST /{index}/merge", "T", "NA"),
  "pull.merge.cancel": pull("DELETE /{index}/merge", "T", "NA"),
  "pull.review.list": pull("GET /{index}/reviews"),
  "pull.review.create": pull("POST /{index}/reviews", "T"),
  "pull.review.read": pull("GET /{index}/reviews/{id}"),
  "pull.review.delete": pull("DELETE /{index}/reviews/{id}", "T"),
  "pull.review.submit": pull("POST /{index}/reviews/{id}", "T"),
  "pull.review.comment.list": pull("GET /{index}/reviews/{id}/comments"),
  "pull.review.dismiss": pull("POST /{index}/reviews/{id}/dismissals", "T"),
  "pull.review.undismiss": pull("POST /{index}/reviews/{id}/undismissals", "T"),
  "pull.requested-reviewer.add": pull("POST /{index}/requested_reviewers", "T"),
  "pull.requested-reviewer.remove": pull("DELETE /{index}/requested_reviewers", "T"),
  "pull.comment.reply": pull("POST /{index}/comments/{id}/replies", "T"),
  "pull.read-by-branches": pull("GET /{base}/*")
} as const
