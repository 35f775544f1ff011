import { aboutSelf, area } from "../Action.ts"

const repositories = area({ on: "site", base: "/repos", scope: ["repository"] })
const byId = area({
  on: "repository",
  base: "/repositories/{id}",
  scope: ["repository"],
  guards: ["T"],
  asks: ["repo-visible"]
})
const repository = area({
  on: "repository",
  base: "/repos/{username}/{reponame}",
  scope: ["repository"],
  guards: ["repo-visible"]
})
const topics = area({ on: "site", base: "/topics", scope: ["repository"] })

/** Repositories: each action with its route and the guards of its row. */
export const repositoryActions = {
  "repository.search": repositories("GET /search"),
  "repository.migrate": repositories("POST /migrate", "T"),
  "repository.read-by-id": byId("GET"),
  "repository.read": repository("GET", "any-read"),
  "repository.edit": repository("PATCH", "T", "A"),
  "repository.delete": repository("DELETE", "T", "Own"),
  "repository.generate": repository("POST /generate", "T", "R:code"),
  "repository.signing-key.gpg.read": repository("GET /signing-key.gpg"),
  "repository.signing-key.pub.read": repository("GET /signing-key.pub"),
  "repository.time.list": repository("GET /times", "T"),
  "repository.time.list-of-user": repository("GET /times/{timetrackingusername}", "T"),
  "repository.markup.render": repository("POST /markup", "T"),
  "repository.markdown.render": repository("POST /markdown", "T"),
  "repository.markdown.render-raw": repository("POST /markdown/raw", "T"),
  "repository.stargazer.list": repository("GET /stargazers", "stars-enabled"),
  "repository.subscriber.list": repository("GET /subscribers"),
  "repository.subscription.read": aboutSelf(repository("GET /subscription", "T")),
  "repository.subscription.add": repository("PUT /subscription", "T"),
  "repository.subscription.remove": repository("DELETE /subscription", "T"),
  "repository.issue-template.list": repository("GET /issue_templates"),
  "repository.issue-config.read": repository("GET /issue_config"),
  "repository.issue-config.validate": repository("GET /issue_config/validate"),
  "repository.feed.list": repository("GET /activities/feeds"),
  "repository.pin.allowed": repository("GET /new_pin_allowed"),
  "topic.search": topics("GET /search")
} as const
