import { aboutSelf, area, asking } from "../Action.ts"

const search = area({ on: "site", base: "/repos/issues", scope: ["issue"] })
const base = "/repos/{username}/{reponame}/issues"
const guards = ["repo-visible", "issues-or-PRs-readable"] as const
const issues = area({ on: "repository", base, scope: ["issue"], guards })
const issue = area({ on: "issue", base, scope: ["issue"], guards, asks: ["found", "issue-readable"] })
const subscriber = area({ on: "subscriber", base, scope: ["issue"], guards, asks: ["found", "issue-readable"] })
const comment = area({ on: "comment", base, scope: ["issue"], guards, asks: ["found", "issue-readable"] })
const trackedTime = area({ on: "trackedTime", base, scope: ["issue"], guards, asks: ["found", "issue-readable"] })

/** The actions on issues, each with its route and its guards (named access checks). */
export const issueActions = {
  "issue.search": search("GET /search", "Find issues and pull requests in all repositories that the caller can access"),
  "issue.list": issues("GET", "List the issues and pull requests of a repository"),
  "issue.create": asking(issues("POST", "Open an issue", "sign-in", "not-archived", "issues-unit"), "not-blocked"),
  "issue.list-pinned": issues("GET /pinned", "List the pinned issues of a repository"),
  "issue.comment.list-all": issues("GET /comments", "List the comments of a repository"),
  "issue.comment.read": comment("GET /comments/{id}", "Read a comment of an issue"),
  "issue.comment.edit": asking(
    comment("PATCH /comments/{id}", "Change a comment of an issue", "sign-in", "not-archived"),
    "comment-author-or-issue-write"
  ),
  "issue.comment.delete": asking(
    comment("DELETE /comments/{id}", "Delete a comment of an issue", "sign-in"),
    "comment-author-or-issue-write"
  ),
  "issue.comment.reaction.list": comment("GET /comments/{id}/reactions", "List the reactions to a comment"),
  "issue.comment.reaction.add": asking(
    comment("POST /comments/{id}/reactions", "React to a comment", "sign-in"),
    "unlocked",
    "not-archived",
    "not-blocked"
  ),
  "issue.comment.reaction.remove": asking(
    comment("DELETE /comments/{id}/reactions", "Remove a reaction to a comment", "sign-in"),
    "unlocked",
    "not-archived"
  ),
  "issue.comment.asset.list": comment(
    "GET /comments/{id}/assets",
    "List the attachments of a comment",
    "attachments-enabled"
  ),
  "issue.comment.asset.create": asking(
    comment(
      "POST /comments/{id}/assets",
      "Attach a file to a comment",
      "attachments-enabled",
      "sign-in",
      "not-archived"
    ),
    "comment-author-or-issue-write",
    "not-blocked"
  ),
  "issue.comment.asset.read": comment(
    "GET /comments/{id}/assets/{attachment_id}",
    "Read an attachment of a comment",
    "attachments-enabled"
  ),
  "issue.comment.asset.edit": asking(
    comment(
      "PATCH /comments/{id}/assets/{attachment_id}",
      "Change an attachment of a comment",
      "attachments-enabled",
      "sign-in",
      "not-archived"
    ),
    "comment-author-or-issue-write"
  ),
  "issue.comment.asset.delete": asking(
    comment(
      "DELETE /comments/{id}/assets/{attachment_id}",
      "Delete an attachment of a comment",
      "attachments-enabled",
      "sign-in",
      "not-archived"
    ),
    "comment-author-or-issue-write"
  ),
  "issue.asset.list": issue("GET /{index}/assets", "List the attachments of an issue", "attachments-enabled"),
  "issue.asset.create": asking(
    issue("POST /{index}/assets", "Attach a file to an issue", "attachments-enabled", "sign-in", "not-archived"),
    "author-or-issue-write",
    "not-blocked"
  ),
  "issue.asset.read": issue(
    "GET /{index}/assets/{attachment_id}",
    "Read an attachment of an issue",
    "attachments-enabled"
  ),
  "issue.asset.edit": asking(
    issue(
      "PATCH /{index}/assets/{attachment_id}",
      "Change an attachment of an issue",
      "attachments-enabled",
      "sign-in",
      "not-archived"
    ),
    "author-or-issue-write"
  ),
  "issue.asset.delete": asking(
    issue(
      "DELETE /{index}/assets/{attachment_id}",
      "Delete an attachment of an issue",
      "attachments-enabled",
      "sign-in",
      "not-archived"
    ),
    "author-or-issue-write"
  ),
  "issue.read": issue("GET /{index}", "Read an issue"),
  "issue.edit": asking(issue("PATCH /{index}", "Change an issue", "sign-in"), "author-or-issue-write"),
  "issue.delete": issue("DELETE /{index}", "Delete an issue", "sign-in", "repo-admin"),
  "issue.assignee.add": asking(issue("POST /{index}/assignees", "Assign users to an issue", "sign-in"), "issue-write"),
  "issue.assignee.remove": asking(
    issue("DELETE /{index}/assignees", "Unassign users from an issue", "sign-in"),
    "issue-write"
  ),
  "issue.assignee.check": issue(
    "GET /{index}/assignees/{assignee}",
    "Check whether a user can be assigned to an issue"
  ),
  "issue.comment.list": issue("GET /{index}/comments", "List the comments of an issue"),
  "issue.comment.create": asking(
    issue("POST /{index}/comments", "Comment on an issue", "sign-in", "not-archived"),
    "unlocked",
    "not-blocked"
  ),
  "issue.comment.edit-deprecated": asking(
    comment("PATCH /{index}/comments/{id}", "Change a comment", "sign-in"),
    "comment-author-or-issue-write",
    "not-archived"
  ),
  "issue.comment.delete-deprecated": asking(
    comment("DELETE /{index}/comments/{id}", "Delete a comment", "sign-in"),
    "comment-author-or-issue-write"
  ),
  "issue.timeline.list": issue("GET /{index}/timeline", "List the comments and events of an issue"),
  "issue.label.list": issue("GET /{index}/labels", "List the labels of an issue"),
  "issue.label.add": asking(issue("POST /{index}/labels", "Add labels to an issue", "sign-in"), "issue-write"),
  "issue.label.replace": asking(
    issue("PUT /{index}/labels", "Replace the labels of an issue", "sign-in"),
    "issue-write"
  ),
  "issue.label.clear": asking(
    issue("DELETE /{index}/labels", "Remove all labels of an issue", "sign-in"),
    "issue-write"
  ),
  "issue.label.remove": asking(
    issue("DELETE /{index}/labels/{id}", "Remove a label from an issue", "sign-in"),
    "issue-write"
  ),
  "issue.time.list": issue("GET /{index}/times", "List the tracked times of an issue", "sign-in"),
  "issue.time.create": asking(
    issue("POST /{index}/times", "Track time on an issue", "sign-in"),
    "issue-write",
    "times-enabled",
    "person"
  ),
  "issue.time.reset": asking(
    issue("DELETE /{index}/times", "Remove the caller's tracked times from an issue", "sign-in"),
    "issue-write",
    "person"
  ),
  "issue.time.delete": asking(
    trackedTime("DELETE /{index}/times/{id}", "Delete a tracked time", "sign-in"),
    "issue-write",
    "worker-or-repo-admin"
  ),
  "issue.deadline.set": asking(
    issue("POST /{index}/deadline", "Set or remove the due date of an issue", "sign-in"),
    "issue-write"
  ),
  "issue.stopwatch.start": asking(
    issue("POST /{index}/stopwatch/start", "Start a stopwatch on an issue", "sign-in"),
    "issue-write",
    "times-enabled",
    "person"
  ),
  "issue.stopwatch.stop": asking(
    issue("POST /{index}/stopwatch/stop", "Stop a stopwatch and track its time", "sign-in"),
    "issue-write",
    "times-enabled",
    "person"
  ),
  "issue.stopwatch.delete": asking(
    issue("DELETE /{index}/stopwatch/delete", "Discard a stopwatch", "sign-in"),
    "issue-write",
    "person"
  ),
  "issue.subscription.list": issue("GET /{index}/subscriptions", "List the subscribers of an issue"),
  "issue.subscription.check": aboutSelf(
    issue("GET /{index}/subscriptions/check", "Check whether the caller is subscribed to an issue", "sign-in")
  ),
  "issue.subscription.add": asking(
    subscriber("PUT /{index}/subscriptions/{user}", "Subscribe a user to an issue", "sign-in"),
    "self-or-site-admin",
    "person"
  ),
  "issue.subscription.remove": asking(
    subscriber("DELETE /{index}/subscriptions/{user}", "Unsubscribe a user from an issue", "sign-in"),
    "self-or-site-admin",
    "person"
  ),
  "issue.reaction.list": issue("GET /{index}/reactions", "List the reactions to an issue"),
  "issue.reaction.count": issue(
    "GET /{index}/reaction-counts",
    "Count the reactions to an issue and to some of its comments"
  ),
  "issue.reaction.add": asking(
    issue("POST /{index}/reactions", "React to an issue", "sign-in"),
    "unlocked",
    "not-archived",
    "not-blocked"
  ),
  "issue.reaction.remove": asking(
    issue("DELETE /{index}/reactions", "Remove a reaction to an issue", "sign-in"),
    "unlocked",
    "not-archived"
  ),
  "issue.dependency.list": issue("GET /{index}/dependencies", "List the dependencies of an issue"),
  "issue.dependency.add": asking(
    issue("POST /{index}/dependencies", "Add a dependency to an issue", "sign-in", "not-archived"),
    "issue-write"
  ),
  "issue.dependency.remove": asking(
    issue("DELETE /{index}/dependencies", "Remove a dependency from an issue", "sign-in", "not-archived"),
    "issue-write"
  ),
  "issue.block.list": issue("GET /{index}/blocks", "List the issues that an issue blocks"),
  "issue.block.add": asking(
    issue("POST /{index}/blocks", "Make an issue block another issue", "sign-in"),
    "issue-write"
  ),
  "issue.block.remove": asking(
    issue("DELETE /{index}/blocks", "Stop an issue from blocking another issue", "sign-in"),
    "issue-write"
  ),
  "issue.pin": issue("POST /{index}/pin", "Pin an issue", "sign-in", "repo-admin"),
  "issue.unpin": issue("DELETE /{index}/pin", "Unpin an issue", "sign-in", "repo-admin"),
  "issue.pin.move": issue("PATCH /{index}/pin/{position}", "Move a pinned issue", "sign-in", "repo-admin"),
  "issue.lock": issue("PUT /{index}/lock", "Lock an issue", "sign-in", "repo-admin"),
  "issue.unlock": issue("DELETE /{index}/lock", "Unlock an issue", "sign-in", "repo-admin")
} as const
