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
  "pull.create": pull("POST", "sign-in", "not-archived"),
  "pull.list-pinned": pull("GET /pinned"),
  "pull.comment.resolve": pull("POST /comments/{id}/resolve", "sign-in"),
  "pull.comment.unresolve": pull("POST /comments/{id}/unresolve", "sign-in"),
  "pull.read": pull("GET /{index}"),
  "pull.edit": pull("PATCH /{index}", "sign-in"),
  "pull.diff": pull("GET /{index}.diff"),
  "pull.patch": pull("GET /{index}.patch"),
  "pull.update": pull("POST /{index}/update", "sign-in"),
  "pull.commit.list": pull("GET /{index}/commits"),
  "pull.file.list": pull("GET /{index}/files"),
  "pull.merge.check": pull("GET /{index}/merge"),
  "pull.merge": pull("POST /{index}/merge", "sign-in", "not-archived"),
  "pull.merge.cancel": pull("DELETE /{index}/merge", "sign-in", "not-archived"),
  "pull.review.list": pull("GET /{index}/reviews"),
  "pull.review.create": pull("POST /{index}/reviews", "sign-in"),
  "pull.review.read": pull("GET /{index}/reviews/{id}"),
  "pull.review.delete": pull("DELETE /{index}/reviews/{id}", "sign-in"),
  "pull.review.submit": pull("POST /{index}/reviews/{id}", "sign-in"),
  "pull.review.comment.list": pull("GET /{index}/reviews/{id}/comments"),
  "pull.review.dismiss": pull("POST /{index}/reviews/{id}/dismissals", "sign-in"),
  "pull.review.undismiss": pull("POST /{index}/reviews/{id}/undismissals", "sign-in"),
  "pull.requested-reviewer.add": pull("POST /{index}/requested_reviewers", "sign-in"),
  "pull.requested-reviewer.remove": pull("DELETE /{index}/requested_reviewers", "sign-in"),
  "pull.comment.reply": pull("POST /{index}/comments/{id}/replies", "sign-in"),
  "pull.read-by-branches": pull("GET /{base}/*")
} as const
