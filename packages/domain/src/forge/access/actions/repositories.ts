import { aboutSelf, area } from "../Action.ts"

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

/** Repositories: each action with its route and the guards of its row. */
export const repositoryActions = {
  "repository.search": repositories("GET /search"),
  "repository.migrate": repositories("POST /migrate", "sign-in"),
  "repository.read-by-id": byId("GET"),
  "repository.read": repository("GET", "any-read"),
  "repository.edit": repository("PATCH", "sign-in", "repo-admin"),
  "repository.delete": repository("DELETE", "sign-in", "repo-owner"),
  "repository.generate": repository("POST /generate", "sign-in", "R:code"),
  "repository.signing-key.gpg.read": repository("GET /signing-key.gpg"),
  "repository.signing-key.pub.read": repository("GET /signing-key.pub"),
  "repository.time.list": repository("GET /times", "sign-in"),
  "repository.time.list-of-user": repository("GET /times/{timetrackingusername}", "sign-in"),
  "repository.markup.render": repository("POST /markup", "sign-in"),
  "repository.markdown.render": repository("POST /markdown", "sign-in"),
  "repository.markdown.render-raw": repository("POST /markdown/raw", "sign-in"),
  "repository.stargazer.list": repository("GET /stargazers", "stars-enabled"),
  "repository.subscriber.list": repository("GET /subscribers"),
  "repository.subscription.read": aboutSelf(repository("GET /subscription", "sign-in")),
  "repository.subscription.add": repository("PUT /subscription", "sign-in"),
  "repository.subscription.remove": repository("DELETE /subscription", "sign-in"),
  "repository.issue-template.list": repository("GET /issue_templates"),
  "repository.issue-config.read": repository("GET /issue_config"),
  "repository.issue-config.validate": repository("GET /issue_config/validate"),
  "repository.feed.list": repository("GET /activities/feeds"),
  "repository.pin.allowed": repository("GET /new_pin_allowed"),
  "topic.search": topics("GET /search")
} as const
