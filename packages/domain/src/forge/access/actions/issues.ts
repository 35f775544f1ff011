import { aboutSelf, area } from "../Action.ts"

const issues = area({ on: "site", base: "/repos/issues", scope: ["issue"] })
const issue = area({
  on: "repository",
  base: "/repos/{username}/{reponame}/issues",
  scope: ["issue"],
  guards: ["repo-visible", "issues-or-PRs-readable"]
})

/** Issues: each action with its route and the guards of its row. */
export const issueActions = {
  "issue.search": issues("GET /search", "Find issues and pull requests in all repositories that one has access to"),
  "issue.list": issue("GET", "List the issues and pull requests of a repository"),
  "issue.create": issue("POST", "Open an issue", "sign-in", "not-archived", "issues-unit"),
  "issue.list-pinned": issue("GET /pinned", "List the pinned issues of a repository"),
  "issue.comment.list-all": issue("GET /comments", "List the comments of a repository"),
  "issue.comment.read": issue("GET /comments/{id}", "Read a comment of an issue"),
  "issue.comment.edit": issue("PATCH /comments/{id}", "Change a comment of an issue", "sign-in", "not-archived"),
  "issue.comment.delete": issue("DELETE /comments/{id}", "Delete a comment of an issue", "sign-in"),
  "issue.comment.reaction.list": issue("GET /comments/{id}/reactions", "List the reactions to a comment"),
  "issue.comment.reaction.add": issue("POST /comments/{id}/reactions", "React to a comment", "sign-in"),
  "issue.comment.reaction.remove": issue(
    "DELETE /comments/{id}/reactions",
    "Take back a reaction to a comment",
    "sign-in"
  ),
  "issue.comment.asset.list": issue(
    "GET /comments/{id}/assets",
    "List the attachments of a comment",
    "attachments-enabled"
  ),
  "issue.comment.asset.create": issue(
    "POST /comments/{id}/assets",
    "Attach a file to a comment",
    "attachments-enabled",
    "sign-in",
    "not-archived"
  ),
  "issue.comment.asset.read": issue(
    "GET /comments/{id}/assets/{attachment_id}",
    "Read an attachment of a comment",
    "attachments-enabled"
  ),
  "issue.comment.asset.edit": issue(
    "PATCH /comments/{id}/assets/{attachment_id}",
    "Change an attachment of a comment",
    "attachments-enabled",
    "sign-in",
    "not-archived"
  ),
  "issue.comment.asset.delete": issue(
    "DELETE /comments/{id}/assets/{attachment_id}",
    "Delete an attachment of a comment",
    "attachments-enabled",
    "sign-in",
    "not-archived"
  ),
  "issue.asset.list": issue("GET /{index}/assets", "List the attachments of an issue", "attachments-enabled"),
  "issue.asset.create": issue(
    "POST /{index}/assets",
    "Attach a file to an issue",
    "attachments-enabled",
    "sign-in",
    "not-archived"
  ),
  "issue.asset.read": issue(
    "GET /{index}/assets/{attachment_id}",
    "Read an attachment of an issue",
    "attachments-enabled"
  ),
  "issue.asset.edit": issue(
    "PATCH /{index}/assets/{attachment_id}",
    "Change an attachment of an issue",
    "attachments-enabled",
    "sign-in",
    "not-archived"
  ),
  "issue.asset.delete": issue(
    "DELETE /{index}/assets/{attachment_id}",
    "Delete an attachment of an issue",
    "attachments-enabled",
    "sign-in",
    "not-archived"
  ),
  "issue.read": issue("GET /{index}", "Read an issue"),
  "issue.edit": issue("PATCH /{index}", "Change an issue", "sign-in"),
  "issue.delete": issue("DELETE /{index}", "Delete an issue", "sign-in", "repo-admin"),
  "issue.assignee.add": issue("POST /{index}/assignees", "Assign users to an issue", "sign-in"),
  "issue.assignee.remove": issue("DELETE /{index}/assignees", "Take users off an issue", "sign-in"),
  "issue.assignee.check": issue("GET /{index}/assignees/{assignee}", "Tell whether a user may be assigned to an issue"),
  "issue.comment.list": issue("GET /{index}/comments", "List the comments of an issue"),
  "issue.comment.create": issue("POST /{index}/comments", "Comment on an issue", "sign-in", "not-archived"),
  "issue.comment.edit-deprecated": issue("PATCH /{index}/comments/{id}", "Change a comment", "sign-in"),
  "issue.comment.delete-deprecated": issue("DELETE /{index}/comments/{id}", "Delete a comment", "sign-in"),
  "issue.timeline.list": issue("GET /{index}/timeline", "List the comments and events of an issue"),
  "issue.label.list": issue("GET /{index}/labels", "List the labels of an issue"),
  "issue.label.add": issue("POST /{index}/labels", "Add labels to an issue", "sign-in"),
  "issue.label.replace": issue("PUT /{index}/labels", "Replace the labels of an issue", "sign-in"),
  "issue.label.clear": issue("DELETE /{index}/labels", "Remove all labels of an issue", "sign-in"),
  "issue.label.remove": issue("DELETE /{index}/labels/{id}", "Remove a label from an issue", "sign-in"),
  "issue.time.list": issue("GET /{index}/times", "List the tracked times of an issue", "sign-in"),
  "issue.time.create": issue("POST /{index}/times", "Track time on an issue", "sign-in"),
  "issue.time.reset": issue("DELETE /{index}/times", "Remove one's tracked times from an issue", "sign-in"),
  "issue.time.delete": issue("DELETE /{index}/times/{id}", "Delete a tracked time", "sign-in"),
  "issue.deadline.set": issue("POST /{index}/deadline", "Set or remove the due date of an issue", "sign-in"),
  "issue.stopwatch.start": issue("POST /{index}/stopwatch/start", "Start a stopwatch on an issue", "sign-in"),
  "issue.stopwatch.stop": issue("POST /{index}/stopwatch/stop", "Stop a stopwatch and track its time", "sign-in"),
  "issue.stopwatch.delete": issue("DELETE /{index}/stopwatch/delete", "Drop a stopwatch", "sign-in"),
  "issue.subscription.list": issue("GET /{index}/subscriptions", "List who is subscribed to an issue"),
  "issue.subscription.check": aboutSelf(
    issue("GET /{index}/subscriptions/check", "Tell whether one is subscribed to an issue", "sign-in")
  ),
  "issue.subscription.add": issue("PUT /{index}/subscriptions/{user}", "Subscribe a user to an issue", "sign-in"),
  "issue.subscription.remove": issue(
    "DELETE /{index}/subscriptions/{user}",
    "Unsubscribe a user from an issue",
    "sign-in"
  ),
  "issue.reaction.list": issue("GET /{index}/reactions", "List the reactions to an issue"),
  "issue.reaction.add": issue("POST /{index}/reactions", "React to an issue", "sign-in"),
  "issue.reaction.remove": issue("DELETE /{index}/reactions", "Take back a reaction to an issue", "sign-in"),
  "issue.dependency.list": issue("GET /{index}/dependencies", "List what an issue depends on"),
  "issue.dependency.add": issue(
    "POST /{index}/dependencies",
    "Let an issue depend on another",
    "sign-in",
    "not-archived"
  ),
  "issue.dependency.remove": issue(
    "DELETE /{index}/dependencies",
    "Let an issue no longer depend on another",
    "sign-in",
    "not-archived"
  ),
  "issue.block.list": issue("GET /{index}/blocks", "List what an issue blocks"),
  "issue.block.add": issue("POST /{index}/blocks", "Let an issue block another", "sign-in"),
  "issue.block.remove": issue("DELETE /{index}/blocks", "Let an issue no longer block another", "sign-in"),
  "issue.pin": issue("POST /{index}/pin", "Pin an issue", "sign-in", "repo-admin"),
  "issue.unpin": issue("DELETE /{index}/pin", "Unpin an issue", "sign-in", "repo-admin"),
  "issue.pin.move": issue("PATCH /{index}/pin/{position}", "Move a pinned issue", "sign-in", "repo-admin"),
  "issue.lock": issue("PUT /{index}/lock", "Lock an issue", "sign-in", "repo-admin"),
  "issue.unlock": issue("DELETE /{index}/lock", "Unlock an issue", "sign-in", "repo-admin")
} as const
