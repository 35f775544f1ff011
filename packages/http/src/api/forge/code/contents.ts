import { Schema } from "effect"
import { all, endpoints, list, raw, read } from "../base/endpoints.ts"
import { ConflictBody } from "../base/errors.ts"
import { text } from "../base/schemas.ts"

const instant = Schema.String.annotate({ format: "date-time" })
const optional = <S extends Schema.Constraint>(schema: S) => Schema.NullOr(schema)

/** A file, folder, link or submodule; fields that don't apply to the kind are null. */
export const ContentsResponse = Schema.Struct({
  name: Schema.String,
  path: Schema.String,
  sha: Schema.String,
  type: Schema.Literals(["dir", "file", "submodule", "symlink"]),
  size: Schema.Int,
  last_commit_sha: optional(Schema.String),
  last_committer_date: optional(instant),
  last_author_date: optional(instant),
  last_commit_message: optional(Schema.String),
  encoding: optional(Schema.Literal("base64")),
  content: optional(Schema.String),
  target: optional(Schema.String),
  url: Schema.String,
  html_url: optional(Schema.String),
  git_url: optional(Schema.String),
  download_url: optional(Schema.String),
  submodule_git_url: optional(Schema.String),
  lfs_oid: optional(Schema.String),
  lfs_size: optional(Schema.Int),
  _links: Schema.Struct({
    self: Schema.String,
    git: optional(Schema.String),
    html: optional(Schema.String)
  }).annotate({ identifier: "FileLinksResponse" })
}).annotate({ identifier: "ContentsResponse" })

const ContentsExtResponse = Schema.Struct({
  file_contents: optional(ContentsResponse),
  dir_contents: optional(Schema.Array(ContentsResponse))
}).annotate({ identifier: "ContentsExtResponse" })

/** A result of a file search; a submodule has the type `commit`. */
export const FoundFile = Schema.Struct({
  path: Schema.String,
  sha: Schema.String,
  type: Schema.Literals(["blob", "commit"])
}).annotate({ identifier: "FoundFile" })

/** The request body with the paths of files to read. */
export const GetFilesOptions = Schema.Struct({
  files: Schema.Array(text(4_096)).check(Schema.isMaxLength(100))
}).annotate({ identifier: "GetFilesOptions" })

const ref = {
  ref: Schema.optionalKey(text(300).annotate({ description: "A revision; the default branch if omitted." }))
}
const includes = {
  includes: Schema.optionalKey(
    text(200).annotate({
      description:
        "A comma-separated list of file_content, lfs_metadata, commit_metadata and commit_message; none if omitted."
    })
  )
}
const someContents = Schema.Union([ContentsResponse, Schema.Array(ContentsResponse)])
const severalContents = Schema.NullOr(ContentsResponse)

/** The endpoints that read files and folders. */
export const contentEndpoints = endpoints("contents", "Files and folders of a repository.", {
  "repository.contents.list": read(someContents, { query: ref }),
  "repository.contents.read": read(someContents, { query: ref }),
  "repository.contents.list-extended": read(ContentsExtResponse, { query: { ...ref, ...includes } }),
  "repository.contents.read-extended": read(ContentsExtResponse, { query: { ...ref, ...includes } }),
  "repository.contents.read-several": all(severalContents, {
    query: {
      ...ref,
      body: Schema.optionalKey(
        Schema.fromJsonString(GetFilesOptions).annotate({ description: 'The files: `{"files":["README.md"]}`.' })
      )
    }
  }),
  "repository.contents.read-several-by-body": all(severalContents, {
    query: ref,
    body: GetFilesOptions,
    largest: 512 * 1024
  }),
  "repository.language.list": read(Schema.Record(Schema.String, Schema.Int)),
  "repository.license.list": all(Schema.String),
  "repository.editorconfig.read": read(
    Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
    { query: ref }
  ),
  "repository.file.search": list(FoundFile, {
    query: {
      ref: Schema.optionalKey(text(300).annotate({ description: "A revision; the default branch if it is missing." })),
      q: Schema.optionalKey(
        text(255).annotate({ description: "Words that paths contain, in any case; every file if it is missing." })
      )
    },
    errors: [ConflictBody]
  }),
  "repository.file.raw": raw({ query: ref, contentType: "application/octet-stream" }),
  "repository.file.media": raw({ query: ref, contentType: "application/octet-stream" }),
  "repository.archive.download": raw({ contentType: "application/octet-stream" }),
  "repository.tarball.download": raw({ contentType: "application/gzip" }),
  "repository.zipball.download": raw({ contentType: "application/zip" }),
  "repository.bundle.download": raw({ contentType: "application/octet-stream" })
})
