import { area, asking } from "../Action.ts"

const repository = area({
  on: "repository",
  base: "/repos/{username}/{reponame}",
  scope: ["repository"],
  guards: ["repo-visible"]
})

const within = {
  base: "/repos/{username}/{reponame}",
  scope: ["repository"],
  guards: ["repo-visible"],
  asks: ["found"]
} as const
const repositoryUser = area({ on: "repositoryUser", ...within })
const heldTeam = area({ on: "heldTeam", ...within })

/** The actions on the settings of a repository, each with its route and its guards (named access checks). */
export const repositorySettingActions = {
  "repository.transfer": asking(
    repository("POST /transfer", "Start the transfer of a repository to another owner", "sign-in", "repo-owner"),
    "recipient-not-blocking"
  ),
  "repository.transfer.accept": asking(
    repository("POST /transfer/accept", "Accept the transfer of a repository", "sign-in"),
    "person"
  ),
  "repository.transfer.reject": asking(
    repository("POST /transfer/reject", "Reject the transfer of a repository", "sign-in"),
    "person"
  ),
  "repository.git-hook.list": repository(
    "GET /hooks/git",
    "List the git hooks of a repository",
    "sign-in",
    "repo-admin",
    "git-hook-permission"
  ),
  "repository.git-hook.read": repository(
    "GET /hooks/git/{id}",
    "Read a git hook of a repository",
    "sign-in",
    "repo-admin",
    "git-hook-permission"
  ),
  "repository.git-hook.edit": repository(
    "PATCH /hooks/git/{id}",
    "Change a git hook of a repository",
    "sign-in",
    "repo-admin",
    "git-hook-permission"
  ),
  "repository.git-hook.delete": repository(
    "DELETE /hooks/git/{id}",
    "Delete a git hook of a repository",
    "sign-in",
    "repo-admin",
    "git-hook-permission"
  ),
  "repository.hook.list": repository(
    "GET /hooks",
    "List the webhooks of a repository",
    "sign-in",
    "repo-admin",
    "webhooks-enabled"
  ),
  "repository.hook.create": repository(
    "POST /hooks",
    "Create a webhook in a repository",
    "sign-in",
    "repo-admin",
    "webhooks-enabled"
  ),
  "repository.hook.read": repository(
    "GET /hooks/{id}",
    "Read a webhook of a repository",
    "sign-in",
    "repo-admin",
    "webhooks-enabled"
  ),
  "repository.hook.edit": repository(
    "PATCH /hooks/{id}",
    "Change a webhook of a repository",
    "sign-in",
    "repo-admin",
    "webhooks-enabled"
  ),
  "repository.hook.delete": repository(
    "DELETE /hooks/{id}",
    "Delete a webhook of a repository",
    "sign-in",
    "repo-admin",
    "webhooks-enabled"
  ),
  // Not in the specification: lists deliveries of the webhook and sends one again.
  "repository.hook.delivery.list": repository(
    "GET /hooks/{id}/deliveries",
    "List the deliveries of a webhook of a repository, newest first",
    "sign-in",
    "repo-admin",
    "webhooks-enabled"
  ),
  "repository.hook.delivery.read": repository(
    "GET /hooks/{id}/deliveries/{delivery}",
    "Read a delivery of a webhook of a repository",
    "sign-in",
    "repo-admin",
    "webhooks-enabled"
  ),
  "repository.hook.delivery.redeliver": repository(
    "POST /hooks/{id}/deliveries/{delivery}",
    "Redeliver a delivery of a webhook of a repository",
    "sign-in",
    "repo-admin",
    "webhooks-enabled"
  ),
  "repository.hook.test": repository(
    "POST /hooks/{id}/tests",
    "Send a test delivery to a webhook",
    "sign-in",
    "repo-admin",
    "webhooks-enabled"
  ),
  "repository.collaborator.list": repository(
    "GET /collaborators",
    "List the collaborators of a repository",
    "sign-in",
    "any-read"
  ),
  "repository.collaborator.check": repository(
    "GET /collaborators/{collaborator}",
    "Check whether a user is a collaborator of a repository",
    "sign-in",
    "any-read"
  ),
  "repository.collaborator.add": asking(
    repository(
      "PUT /collaborators/{collaborator}",
      "Add a collaborator to a repository, or change their level",
      "sign-in",
      "repo-admin"
    ),
    "member-not-blocked"
  ),
  "repository.collaborator.remove": repository(
    "DELETE /collaborators/{collaborator}",
    "Remove a collaborator from a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.collaborator.permission": asking(
    repositoryUser(
      "GET /collaborators/{collaborator}/permission",
      "Read the permission of a user on a repository, including teams",
      "sign-in"
    ),
    "self-or-repo-admin"
  ),
  // Not in the specification: lists the users with access to the repository, with the reasons.
  "repository.access.list": repository(
    "GET /access",
    "List the users with access to a repository, and why",
    "sign-in",
    "repo-admin"
  ),
  "repository.assignee.list": repository(
    "GET /assignees",
    "List the users who can be assigned in a repository",
    "sign-in",
    "any-read"
  ),
  "repository.assignee.check": repository(
    "GET /assignees/{assignee}",
    "Check whether a user can be assigned in a repository",
    "sign-in",
    "any-read"
  ),
  "repository.reviewer.list": repository(
    "GET /reviewers",
    "List the possible reviewers in a repository",
    "sign-in",
    "any-read"
  ),
  "repository.team.list": repository("GET /teams", "List the teams with access to a repository", "sign-in", "any-read"),
  "repository.team.check": repository(
    "GET /teams/{team}",
    "Read a team with access to a repository",
    "sign-in",
    "any-read"
  ),
  "repository.team.add": asking(
    heldTeam("PUT /teams/{team}", "Give a team access to a repository", "sign-in", "repo-admin"),
    "team-access"
  ),
  "repository.team.remove": asking(
    heldTeam("DELETE /teams/{team}", "Remove a team's access to a repository", "sign-in", "repo-admin"),
    "team-access"
  ),
  "repository.branch-protection.list": repository(
    "GET /branch_protections",
    "List the branch protections of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.branch-protection.create": repository(
    "POST /branch_protections",
    "Create a branch protection in a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.branch-protection.read": repository(
    "GET /branch_protections/*",
    "Read a branch protection of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.branch-protection.delete": repository(
    "DELETE /branch_protections/*",
    "Delete a branch protection of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.branch-protection.edit": repository(
    "PATCH /branch_protections/*",
    "Change a branch protection of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.branch-protection.prioritise": repository(
    "POST /branch_protections/priority",
    "Order the branch protections of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.tag-protection.list": repository(
    "GET /tag_protections",
    "List the tag protections of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.tag-protection.create": repository(
    "POST /tag_protections",
    "Create a tag protection in a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.tag-protection.read": repository(
    "GET /tag_protections/{id}",
    "Read a tag protection of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.tag-protection.delete": repository(
    "DELETE /tag_protections/{id}",
    "Delete a tag protection of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.tag-protection.edit": repository(
    "PATCH /tag_protections/{id}",
    "Change a tag protection of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.key.list": repository("GET /keys", "List the deploy keys of a repository", "sign-in", "repo-admin"),
  "repository.key.create": repository("POST /keys", "Add a deploy key to a repository", "sign-in", "repo-admin"),
  "repository.key.read": repository("GET /keys/{id}", "Read a deploy key of a repository", "sign-in", "repo-admin"),
  "repository.key.delete": repository(
    "DELETE /keys/{id}",
    "Delete a deploy key of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.mirror.sync": repository(
    "POST /mirror-sync",
    "Synchronize a mirror with its source",
    "sign-in",
    "W:code",
    "not-archived"
  ),
  "repository.migration.read": repository(
    "GET /migration",
    "Read the progress of a repository migration",
    "sign-in",
    "repo-admin"
  ),
  "repository.push-mirror.sync": repository(
    "POST /push_mirrors-sync",
    "Synchronize all push mirrors",
    "sign-in",
    "repo-admin",
    "not-archived"
  ),
  "repository.push-mirror.list": repository(
    "GET /push_mirrors",
    "List the push mirrors of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.push-mirror.create": repository(
    "POST /push_mirrors",
    "Create a push mirror in a repository",
    "sign-in",
    "repo-admin",
    "not-archived"
  ),
  "repository.push-mirror.read": repository(
    "GET /push_mirrors/{name}",
    "Read a push mirror of a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.push-mirror.delete": repository(
    "DELETE /push_mirrors/{name}",
    "Delete a push mirror of a repository",
    "sign-in",
    "repo-admin",
    "not-archived"
  ),
  "repository.topic.list": repository("GET /topics", "List the topics of a repository", "any-read"),
  "repository.topic.replace": repository("PUT /topics", "Replace the topics of a repository", "sign-in", "repo-admin"),
  "repository.topic.add": repository("PUT /topics/{topic}", "Add a topic to a repository", "sign-in", "repo-admin"),
  "repository.topic.remove": repository(
    "DELETE /topics/{topic}",
    "Remove a topic from a repository",
    "sign-in",
    "repo-admin"
  ),
  "repository.avatar.set": repository("POST /avatar", "Set the avatar of a repository", "sign-in", "repo-admin"),
  "repository.avatar.delete": repository("DELETE /avatar", "Delete the avatar of a repository", "sign-in", "repo-admin")
} as const
