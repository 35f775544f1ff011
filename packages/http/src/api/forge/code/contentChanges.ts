import { Schema } from "effect"
import { create, edit, endpoints } from "../base/endpoints.ts"
import { ConflictBody, ForbiddenBody } from "../base/errors.ts"
import { Instant, optionalNullable, text } from "../base/schemas.ts"
import { CommitMeta, CommitUser, PayloadCommitVerification } from "./commits.ts"
import { ContentsResponse } from "./contents.ts"

/** The maximum size of a request body with files, in bytes. */
const largest = 32 * 1024 * 1024

const Identity = Schema.Struct({
  name: optionalNullable(text(255)),
  email: optionalNullable(text(255))
}).annotate({ identifier: "Identity" })

const CommitDateOptions = Schema.Struct({
  author: optionalNullable(Instant),
  committer: optionalNullable(Instant)
}).annotate({ identifier: "CommitDateOptions" })

const commitFields = {
  branch: optionalNullable(text(300)),
  new_branch: optionalNullable(text(300)),
  force_push: optionalNullable(Schema.Boolean),
  message: optionalNullable(text(64 * 1024)),
  author: optionalNullable(Identity),
  committer: optionalNullable(Identity),
  dates: optionalNullable(CommitDateOptions),
  signoff: optionalNullable(Schema.Boolean)
}

/** The fields of a request body that describe the commit to create. */
export const CommitFields = Schema.Struct(commitFields)

const base64 = Schema.Uint8ArrayFromBase64.annotate({ description: "In Base64." })
const path = text(4_096)

/** The request body that creates a file. */
export const CreateFileOptions = Schema.Struct({ ...commitFields, content: base64 }).annotate({
  identifier: "CreateFileOptions"
})

/** The request body that changes a file; without `sha`, it creates a file. */
export const UpdateFileOptions = Schema.Struct({
  ...commitFields,
  content: base64,
  sha: optionalNullable(text(64).check(Schema.isNonEmpty())),
  from_path: optionalNullable(path.check(Schema.isNonEmpty()))
}).annotate({ identifier: "UpdateFileOptions" })

/** The request body that deletes a file. */
export const DeleteFileOptions = Schema.Struct({ ...commitFields, sha: text(64) }).annotate({
  identifier: "DeleteFileOptions"
})

const ChangeFileOperation = Schema.Struct({
  operation: Schema.Literals(["create", "update", "upload", "rename", "delete"]),
  path,
  from_path: optionalNullable(path),
  content: optionalNullable(base64),
  sha: optionalNullable(text(64))
}).annotate({ identifier: "ChangeFileOperation" })

/** The request body that changes several files. */
export const ChangeFilesOptions = Schema.Struct({
  ...commitFields,
  files: Schema.Array(ChangeFileOperation).check(Schema.isMaxLength(1_000))
}).annotate({ identifier: "ChangeFilesOptions" })

/** The request body that applies a patch. */
export const ApplyDiffPatchFileOptions = Schema.Struct({
  ...commitFields,
  content: Schema.String.annotate({ description: "The output of `git diff`." })
}).annotate({ identifier: "ApplyDiffPatchFileOptions" })

const FileCommitResponse = Schema.Struct({
  url: Schema.String,
  sha: Schema.String,
  created: Schema.String,
  html_url: Schema.String,
  author: CommitUser,
  committer: CommitUser,
  parents: Schema.Array(CommitMeta),
  message: Schema.String,
  tree: CommitMeta
}).annotate({ identifier: "FileCommitResponse" })

const FileResponse = Schema.Struct({
  content: Schema.NullOr(ContentsResponse),
  commit: FileCommitResponse,
  verification: PayloadCommitVerification
}).annotate({ identifier: "FileResponse" })

const FilesResponse = Schema.Struct({
  files: Schema.Array(Schema.NullOr(ContentsResponse)),
  commit: FileCommitResponse,
  verification: PayloadCommitVerification
}).annotate({ identifier: "FilesResponse" })

const errors = [ConflictBody, ForbiddenBody]

/** The endpoints that change files. */
export const contentChangeEndpoints = endpoints("contentChanges", "Changes of files, each as a commit.", {
  "repository.contents.change": create(FilesResponse, { body: ChangeFilesOptions, largest, errors }),
  "repository.contents.create": create(FileResponse, { body: CreateFileOptions, largest, errors }),
  "repository.contents.edit": edit(FileResponse, { body: UpdateFileOptions, largest, errors }),
  "repository.contents.delete": edit(FileResponse, { body: DeleteFileOptions, errors }),
  "repository.patch.apply": edit(FilesResponse, { body: ApplyDiffPatchFileOptions, largest, errors })
})
