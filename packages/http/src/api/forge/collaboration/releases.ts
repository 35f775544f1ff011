import { Schema } from "effect"
import { all, create, edit, endpoints, list, raw, read, remove } from "../base/endpoints.ts"
import { ConflictBody } from "../base/errors.ts"
import { Moment, optionalNullable, QueryFlag, text, User } from "../base/schemas.ts"
import { Attachment } from "./issues.ts"

const longestText = 262_144
const largest = 1024 * 1024

/** A release as returned by the API. */
export const Release = Schema.Struct({
  id: Schema.Int,
  tag_name: Schema.String,
  target_commitish: Schema.String,
  name: Schema.String,
  body: Schema.String,
  url: Schema.String,
  html_url: Schema.String,
  tarball_url: Schema.String,
  zipball_url: Schema.String,
  upload_url: Schema.String,
  draft: Schema.Boolean,
  prerelease: Schema.Boolean,
  created_at: Moment,
  published_at: Moment,
  author: User,
  assets: Schema.Array(Attachment)
}).annotate({ identifier: "Release" })

const said = {
  target_commitish: optionalNullable(text(255).check(Schema.isNonEmpty())),
  name: optionalNullable(text(255)),
  body: optionalNullable(text(longestText)),
  draft: optionalNullable(Schema.Boolean),
  prerelease: optionalNullable(Schema.Boolean)
}

/** The request body that creates a release. */
export const CreateReleaseOption = Schema.Struct({
  tag_name: text(255).check(Schema.isNonEmpty()),
  tag_message: optionalNullable(text(65_536)).annotate({ description: "Creates an annotated tag." }),
  generate_notes: optionalNullable(Schema.Boolean).annotate({
    description: "Appends the pull requests that were merged since the previous release."
  }),
  ...said
}).annotate({ identifier: "CreateReleaseOption" })

/**
 * The request body that changes a release.
 *
 * Empty fields stay unchanged, because clients that change one field send the other fields empty.
 */
export const EditReleaseOption = Schema.Struct({
  ...said,
  tag_name: optionalNullable(text(255).check(Schema.isNonEmpty())),
  name: optionalNullable(text(255).check(Schema.isNonEmpty())),
  body: optionalNullable(text(longestText).check(Schema.isNonEmpty()))
}).annotate({ identifier: "EditReleaseOption" })

/** The request body that renames a release file, or changes the URL of an external release file. */
export const EditReleaseAssetOption = Schema.Struct({
  name: optionalNullable(text(255).check(Schema.isNonEmpty())),
  browser_download_url: optionalNullable(text(2_000).check(Schema.isNonEmpty()))
}).annotate({ identifier: "EditReleaseAssetOption" })

/**
 * The endpoints of releases.
 *
 * An upload sends the file in the form part `attachment`, or as the whole body; `external_url` adds a link instead.
 */
export const releaseEndpoints = endpoints("releases", "Releases of repositories at tags, with files.", {
  "repository.release.list": list(Release, {
    query: { draft: Schema.optionalKey(QueryFlag), "pre-release": Schema.optionalKey(QueryFlag) }
  }),
  "repository.release.create": create(Release, { body: CreateReleaseOption, largest, errors: [ConflictBody] }),
  "repository.release.read-latest": read(Release),
  "repository.release.read": read(Release),
  "repository.release.edit": edit(Release, { body: EditReleaseOption, largest, errors: [ConflictBody] }),
  "repository.release.delete": remove(),
  "repository.release.read-by-tag": read(Release),
  "repository.release.delete-by-tag": remove(),
  "repository.release.asset.list": all(Attachment),
  "repository.release.asset.create": raw({
    streams: true,
    status: 201,
    answer: Attachment,
    query: { name: Schema.optionalKey(text(255)) }
  }),
  "repository.release.asset.read": read(Attachment),
  "repository.release.asset.edit": create(Attachment, { body: EditReleaseAssetOption }),
  "repository.release.asset.delete": remove()
})
