import { aboutSelf, area, asking } from "../Action.ts"

const repositories = area({ on: "site", base: "/repos", scope: ["repository"] })
const byId = area({
  on: "repository",
  base: "/repositories/{id}",
  scope: ["repository"],
  guards: ["sign-in"],
  asks: ["repo-visible"]
})
const repository = area({
  on: "repository",
  base: "/repos/{username}/{reponame}",
  scope: ["repository"],
  guards: ["repo-visible"]
})
const topics = area({ on: "site", base: "/topics", scope: ["repository"] })

/** The actions on repositories, each with its route and its guards (named access checks). */
export const repositoryActions = {
  "repository.search": repositories("GET /search", "Find accessible repositories by a part of their name"),
  "repository.migrate": asking(
    repositories("POST /migrate", "Migrate a repository from another host", "sign-in"),
    "person"
  ),
  "repository.read-by-id": byId("GET", "Read a repository by its id"),
  "repository.read": repository("GET", "Read a repository", "any-read"),
  "repository.edit": repository("PATCH", "Change a repository; an old name redirects to it", "sign-in", "repo-admin"),
  "repository.delete": repository("DELETE", "Delete a repository", "sign-in", "repo-owner"),
  "repository.generate": asking(
    repository("POST /generate", "Create a repository from a template", "sign-in", "R:code"),
    "person"
  ),
  "repository.signing-key.gpg.read": repository(
    "GET /signing-key.gpg",
    "Read the GPG key that signs commits in a repository"
  ),
  "repository.signing-key.pub.read": repository(
    "GET /signing-key.pub",
    "Read the SSH key that signs commits in a repository"
  ),
  "repository.time.list": repository("GET /times", "List the tracked times of a repository", "sign-in"),
  "repository.time.list-of-user": repository(
    "GET /times/{timetrackingusername}",
    "List the times that a user tracked in a repository",
    "sign-in"
  ),
  "repository.markup.render": repository("POST /markup", "Render markup in the context of a repository", "sign-in"),
  "repository.markdown.render": repository(
    "POST /markdown",
    "Render Markdown in the context of a repository",
    "sign-in"
  ),
  "repository.markdown.render-raw": repository(
    "POST /markdown/raw",
    "Render raw Markdown in the context of a repository",
    "sign-in"
  ),
  "repository.markdown.references": repository(
    "POST /markdown/references",
    "Resolve the references of texts in the context of a repository"
  ),
  "repository.stargazer.list": repository(
    "GET /stargazers",
    "List the users who starred a repository",
    "stars-enabled"
  ),
  "repository.subscriber.list": repository("GET /subscribers", "List the watchers of a repository"),
  "repository.subscription.read": aboutSelf(
    repository("GET /subscription", "Check whether the caller watches a repository", "sign-in")
  ),
  "repository.subscription.add": asking(
    repository("PUT /subscription", "Watch a repository", "sign-in"),
    "not-blocked",
    "person"
  ),
  "repository.subscription.remove": asking(
    repository("DELETE /subscription", "Stop watching a repository", "sign-in"),
    "person"
  ),
  // They are part of the code, so only callers who may read the code can read them (invariant I1).
  "repository.issue-template.list": asking(
    repository("GET /issue_templates", "List the issue templates of a repository"),
    "R:code"
  ),
  "repository.issue-config.read": asking(
    repository("GET /issue_config", "Read the issue configuration of a repository"),
    "R:code"
  ),
  "repository.issue-config.validate": asking(
    repository("GET /issue_config/validate", "Validate the issue configuration of a repository"),
    "R:code"
  ),
  "repository.feed.list": repository("GET /activities/feeds", "List the activities of a repository"),
  "repository.activity.read": repository("GET /activity", "Count the activity in a repository during a period"),
  "repository.pin.allowed": repository(
    "GET /new_pin_allowed",
    "Check whether more issues and pull requests can be pinned"
  ),
  "topic.search": topics("GET /search", "Find topics by a part of their name")
} as const
