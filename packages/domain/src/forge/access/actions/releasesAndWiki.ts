import { area } from "../Action.ts"

const base = "/repos/{username}/{reponame}"
const scope = ["repository"] as const
const guards = ["repo-visible"] as const
const asks = ["found", "release-visible"] as const
const repository = area({ on: "repository", base, scope, guards })
const release = area({ on: "release", base, scope, guards, asks })
const tagged = area({ on: "taggedRelease", base, scope, guards, asks })

/** The actions on releases and wiki pages, each with its route and its guards (named access checks). */
export const releaseAndWikiActions = {
  "repository.wiki.page.read": repository("GET /wiki/page/{pageName}", "Read a wiki page", "wiki-readable"),
  "repository.wiki.page.edit": repository(
    "PATCH /wiki/page/{pageName}",
    "Change a wiki page",
    "wiki-readable",
    "sign-in",
    "W:wiki",
    "not-archived"
  ),
  "repository.wiki.page.delete": repository(
    "DELETE /wiki/page/{pageName}",
    "Delete a wiki page",
    "wiki-readable",
    "sign-in",
    "W:wiki",
    "not-archived"
  ),
  "repository.wiki.revision.list": repository(
    "GET /wiki/revisions/{pageName}",
    "List the revisions of a wiki page",
    "wiki-readable"
  ),
  "repository.wiki.page.create": repository(
    "POST /wiki/new",
    "Create a wiki page",
    "wiki-readable",
    "sign-in",
    "W:wiki",
    "not-archived"
  ),
  "repository.wiki.page.list": repository("GET /wiki/pages", "List the wiki pages of a repository", "wiki-readable"),
  "repository.release.list": repository("GET /releases", "List the releases of a repository", "R:releases"),
  "repository.release.create": repository(
    "POST /releases",
    "Create a release in a repository",
    "sign-in",
    "W:releases"
  ),
  "repository.release.read-latest": repository(
    "GET /releases/latest",
    "Read the latest release of a repository",
    "R:releases"
  ),
  "repository.release.read": release("GET /releases/{id}", "Read a release of a repository", "R:releases"),
  "repository.release.edit": release(
    "PATCH /releases/{id}",
    "Change a release of a repository",
    "sign-in",
    "W:releases"
  ),
  "repository.release.delete": release(
    "DELETE /releases/{id}",
    "Delete a release of a repository",
    "sign-in",
    "W:releases"
  ),
  "repository.release.asset.list": release(
    "GET /releases/{id}/assets",
    "List the attachments of a release",
    "R:releases"
  ),
  "repository.release.asset.create": release(
    "POST /releases/{id}/assets",
    "Attach a file to a release",
    "sign-in",
    "W:releases"
  ),
  "repository.release.asset.read": release(
    "GET /releases/{id}/assets/{attachment_id}",
    "Read an attachment of a release",
    "R:releases"
  ),
  "repository.release.asset.edit": release(
    "PATCH /releases/{id}/assets/{attachment_id}",
    "Change an attachment of a release",
    "sign-in",
    "W:releases"
  ),
  "repository.release.asset.delete": release(
    "DELETE /releases/{id}/assets/{attachment_id}",
    "Delete an attachment of a release",
    "sign-in",
    "W:releases"
  ),
  "repository.release.read-by-tag": tagged("GET /releases/tags/{tag}", "Read the release of a tag", "R:releases"),
  "repository.release.delete-by-tag": tagged(
    "DELETE /releases/tags/{tag}",
    "Delete the release of a tag",
    "sign-in",
    "W:releases"
  )
} as const
