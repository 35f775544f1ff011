import { type Action, area, type Route, withHead } from "../Action.ts"
import type { Kind } from "../facts/facts.ts"

const packages = area({
  on: "packageOwner",
  base: "/packages/{username}",
  scope: ["package"],
  guards: ["sign-in", "package-read"],
  asks: ["owner-visible"]
})

const registry = area({
  on: "packageOwner",
  base: "/api/packages/{username}",
  scope: ["package"],
  asks: ["owner-visible", "package-read"]
})

const images = area({
  on: "packageOwner",
  base: "/v2/{username}",
  scope: ["package"],
  asks: ["owner-visible", "package-read"]
})

const doors = area({ on: "site", base: "/v2", scope: ["package"] })

const version = "/generic/{name}/{version}"
const tags = "/npm/-/package/{name}/dist-tags"

/** Adds routes to an action; they have the same access requirements. */
const also = <K extends Kind, P extends string>(
  action: Action<K, P>,
  ...routes: ReadonlyArray<Route>
): Action<K, P> => ({
  ...action,
  routes: [...action.routes, ...routes]
})

/** The actions on packages, each with its route and its guards (named access checks). */
export const packageActions = {
  "package.list": packages("GET", "List the packages of an owner"),
  "package.version.list": packages("GET /{type}/{name}", "List the versions of a package"),
  "package.delete": packages("DELETE /{type}/{name}", "Delete a package with all versions", "package-write"),
  "package.version.read": packages("GET /{type}/{name}/{version}", "Read a version of a package"),
  "package.version.delete": packages(
    "DELETE /{type}/{name}/{version}",
    "Delete a version of a package",
    "package-write"
  ),
  "package.version.file.list": packages(
    "GET /{type}/{name}/{version}/files",
    "List the files of a version of a package"
  ),
  "package.version.read-latest": packages("GET /{type}/{name}/-/latest", "Read the latest version of a package"),
  "package.link": packages("POST /{type}/{name}/-/link/{repo_name}", "Link a package to a repository", "package-write"),
  "package.unlink": packages("POST /{type}/{name}/-/unlink", "Unlink a package from its repository", "package-write"),
  // The routes of package clients are not part of the API and of the specification's catalogue, but follow its
  // conditions.
  "package.file.read": withHead(registry(`GET ${version}/{file}`, "Download a file of a package")),
  "package.file.publish": registry(`PUT ${version}/{file}`, "Publish a file of a package", "sign-in", "package-write"),
  "package.file.delete": registry(`DELETE ${version}/{file}`, "Delete a file of a package", "sign-in", "package-write"),
  "package.version.unpublish": registry(
    `DELETE ${version}`,
    "Delete a version through its registry",
    "sign-in",
    "package-write"
  ),
  "package.npm.read": registry("GET /npm/{name}", "Read the npm metadata of a package"),
  "package.npm.download": withHead(
    registry("GET /npm/{name}/-/{version}/{file}", "Download a version of an npm package")
  ),
  "package.npm.publish": registry("PUT /npm/{name}", "Publish a version with npm", "sign-in", "package-write"),
  "package.npm.tag.list": registry(`GET ${tags}`, "List the tags of an npm package"),
  "package.npm.tag.set": registry(`PUT ${tags}/{tag}`, "Tag a version of an npm package", "sign-in", "package-write"),
  "package.npm.tag.delete": registry(
    `DELETE ${tags}/{tag}`,
    "Remove a tag from an npm package",
    "sign-in",
    "package-write"
  ),
  "package.npm.whoami": registry("GET /npm/-/whoami", "Return the caller's username to npm", "sign-in"),
  "package.npm.ping": registry("GET /npm/-/ping", "Answer npm's registry ping"),
  "package.npm.version.delete": also(
    registry(
      "DELETE /npm/{name}/-/{version}/{file}/-rev/{rev}",
      "Delete a version with npm",
      "sign-in",
      "package-write"
    ),
    "PUT /api/packages/{username}/npm/{name}/-rev/{rev}"
  ),
  "package.npm.delete": registry(
    "DELETE /npm/{name}/-rev/{rev}",
    "Delete a package and all its versions with npm",
    "sign-in",
    "package-write"
  ),
  // Container clients use one base URL, below which the images of each owner are found.
  "package.container.sign-in": also(doors("GET /", "Sign in to the container registry"), "GET /v2/token"),
  "package.container.read": withHead(
    also(
      images("GET /{image}/manifests/{reference}", "Download an image, and list its tags and referrers"),
      "GET /v2/{username}/{image}/blobs/{digest}",
      "GET /v2/{username}/{image}/tags/list",
      "GET /v2/{username}/{image}/referrers/{digest}"
    )
  ),
  "package.container.upload": also(
    images("POST /{image}/blobs/uploads/", "Upload a blob of an image", "sign-in", "package-write"),
    "GET /v2/{username}/{image}/blobs/uploads/{upload}",
    "PATCH /v2/{username}/{image}/blobs/uploads/{upload}",
    "PUT /v2/{username}/{image}/blobs/uploads/{upload}",
    "DELETE /v2/{username}/{image}/blobs/uploads/{upload}"
  ),
  "package.container.publish": images(
    "PUT /{image}/manifests/{reference}",
    "Publish a manifest of an image",
    "sign-in",
    "package-write"
  ),
  "package.container.delete": also(
    images("DELETE /{image}/manifests/{reference}", "Delete a manifest of an image", "sign-in", "package-write"),
    "DELETE /v2/{username}/{image}/blobs/{digest}"
  )
} as const
