import { area } from "../Action.ts"

const repository = area({
  on: "repository",
  base: "/repos/{username}/{reponame}",
  scope: ["repository"],
  guards: ["repo-visible"]
})

/** Releases and the wiki: each action with its route and the guards of its row. */
export const releaseAndWikiActions = {
  "repository.wiki.page.read": repository("GET /wiki/page/{pageName}", "wiki-readable"),
  "repository.wiki.page.edit": repository(
    "PATCH /wiki/page/{pageName}",
    "wiki-readable",
    "sign-in",
    "W:wiki",
    "not-archived"
  ),
  "repository.wiki.page.delete": repository(
    "DELETE /wiki/page/{pageName}",
    "wiki-readable",
    "sign-in",
    "W:wiki",
    "not-archived"
  ),
  "repository.wiki.revision.list": repository("GET /wiki/revisions/{pageName}", "wiki-readable"),
  "repository.wiki.page.create": repository("POST /wiki/new", "wiki-readable", "sign-in", "W:wiki", "not-archived"),
  "repository.wiki.page.list": repository("GET /wiki/pages", "wiki-readable"),
  "repository.release.list": repository("GET /releases", "R:releases"),
  "repository.release.create": repository("POST /releases", "sign-in", "W:releases"),
  "repository.release.read-latest": repository("GET /releases/latest", "R:releases"),
  "repository.release.read": repository("GET /releases/{id}", "R:releases"),
  "repository.release.edit": repository("PATCH /releases/{id}", "sign-in", "W:releases"),
  "repository.release.delete": repository("DELETE /releases/{id}", "sign-in", "W:releases"),
  "repository.release.asset.list": repository("GET /releases/{id}/assets", "R:releases"),
  "repository.release.asset.create": repository("POST /releases/{id}/assets", "sign-in", "W:releases"),
  "repository.release.asset.read": repository("GET /releases/{id}/assets/{attachment_id}", "R:releases"),
  "repository.release.asset.edit": repository("PATCH /releases/{id}/assets/{attachment_id}", "sign-in", "W:releases"),
  "repository.release.asset.delete": repository(
    "DELETE /releases/{id}/assets/{attachment_id}",
    "sign-in",
    "W:releases"
  ),
  "repository.release.read-by-tag": repository("GET /releases/tags/{tag}", "R:releases"),
  "repository.release.delete-by-tag": repository("DELETE /releases/tags/{tag}", "sign-in", "W:releases")
} as const
