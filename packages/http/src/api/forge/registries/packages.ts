import { Schema } from "effect"
import { all, done, endpoints, list, read, remove } from "../base/endpoints.ts"
import { Moment, Repository, text, User } from "../base/schemas.ts"

/** A version of a package as returned by the API. */
export const Package = Schema.Struct({
  id: Schema.Int.annotate({ description: "The id of the version." }),
  owner: User,
  repository: Schema.NullOr(Repository).annotate({
    description: "The linked repository, if the caller can read it."
  }),
  creator: User,
  type: Schema.String,
  name: Schema.String,
  version: Schema.String,
  html_url: Schema.String.annotate({
    description: "The address of the version's page."
  }),
  created_at: Moment
}).annotate({ identifier: "Package" })

/** A file of a version as returned by the API. */
export const PackageFile = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  size: Schema.Int,
  md5: Schema.String,
  sha1: Schema.String,
  sha256: Schema.String,
  sha512: Schema.String
}).annotate({ identifier: "PackageFile" })

/** The endpoints that list and delete packages; clients publish and download at the registry URLs. */
export const packageEndpoints = endpoints("packages", "Packages of users and organizations, in versions.", {
  "package.list": list(Package, {
    query: {
      type: Schema.optionalKey(text(50)),
      q: Schema.optionalKey(text(255)).annotate({ description: "A part of the name." }),
      repository: Schema.optionalKey(text(255)).annotate({
        description: "The name of a repository of the owner; only packages linked to it are listed."
      })
    }
  }),
  "package.version.list": list(Package),
  "package.delete": remove(),
  "package.version.read": read(Package),
  "package.version.delete": remove(),
  "package.version.file.list": all(PackageFile),
  "package.version.read-latest": read(Package),
  "package.link": done({ status: 201 }),
  "package.unlink": done({ status: 201 })
})
