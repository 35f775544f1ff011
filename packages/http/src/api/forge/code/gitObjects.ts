import { Schema } from "effect"
import { endpoints, list, read } from "../base/endpoints.ts"
import { QueryFlag, QueryNumber } from "../base/schemas.ts"
import { CommitUser, PayloadCommitVerification } from "./commits.ts"

const GitObject = Schema.Struct({
  type: Schema.Literals(["blob", "commit", "tag", "tree"]),
  sha: Schema.String,
  url: Schema.String
}).annotate({ identifier: "GitObject" })

/** A ref as returned by the API. */
export const Reference = Schema.Struct({
  ref: Schema.String,
  url: Schema.String,
  object: GitObject
}).annotate({ identifier: "Reference" })

const GitEntry = Schema.Struct({
  path: Schema.String,
  mode: Schema.String,
  type: Schema.Literals(["blob", "commit", "tree"]),
  size: Schema.Int,
  sha: Schema.String,
  url: Schema.String
}).annotate({ identifier: "GitEntry" })

/** One page of the entries of a git tree. */
export const GitTreeResponse = Schema.Struct({
  sha: Schema.String,
  url: Schema.String,
  tree: Schema.Array(GitEntry),
  truncated: Schema.Boolean,
  page: Schema.Int,
  total_count: Schema.Int
}).annotate({ identifier: "GitTreeResponse" })

/** A git blob; `content` is null if it is too large to be included. */
export const GitBlobResponse = Schema.Struct({
  sha: Schema.String,
  url: Schema.String,
  size: Schema.Int,
  encoding: Schema.NullOr(Schema.Literal("base64")),
  content: Schema.NullOr(Schema.String),
  lfs_oid: Schema.optionalKey(Schema.String),
  lfs_size: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "GitBlobResponse" })

/** An annotated tag as stored in git. */
export const AnnotatedTag = Schema.Struct({
  tag: Schema.String,
  sha: Schema.String,
  url: Schema.String,
  message: Schema.String,
  tagger: Schema.NullOr(CommitUser),
  object: Schema.Struct({ type: Schema.String, sha: Schema.String, url: Schema.String }).annotate({
    identifier: "AnnotatedTagObject"
  }),
  verification: PayloadCommitVerification
}).annotate({ identifier: "AnnotatedTag" })

/** The endpoints that return git objects and refs. */
export const gitObjectEndpoints = endpoints("gitObjects", "Git objects and refs of a repository.", {
  "repository.git.ref.list": list(Reference),
  "repository.git.ref.read": list(Reference),
  "repository.git.tree.read": read(GitTreeResponse, {
    query: {
      recursive: Schema.optionalKey(QueryFlag),
      page: Schema.optionalKey(QueryNumber),
      per_page: Schema.optionalKey(QueryNumber)
    }
  }),
  "repository.git.blob.read": read(GitBlobResponse),
  "repository.git.tag.read": read(AnnotatedTag)
})
