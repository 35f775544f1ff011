import { NewBranchName } from "@slipway/domain/forge/code"
import { Schema } from "effect"
import { create, done, endpoints, list, read, remove } from "../base/endpoints.ts"
import { ConflictBody } from "../base/errors.ts"
import { optionalNullable, text } from "../base/schemas.ts"
import { CommitMeta, PayloadCommitVerification, PayloadUser } from "./commits.ts"

const PayloadCommit = Schema.Struct({
  id: Schema.String,
  message: Schema.String,
  url: Schema.String,
  author: PayloadUser,
  committer: PayloadUser,
  verification: PayloadCommitVerification,
  timestamp: Schema.String.annotate({ format: "date-time" }),
  added: Schema.NullOr(Schema.Array(Schema.String)),
  removed: Schema.NullOr(Schema.Array(Schema.String)),
  modified: Schema.NullOr(Schema.Array(Schema.String))
}).annotate({ identifier: "PayloadCommit" })

/** A branch with its last commit and its protection. */
export const Branch = Schema.Struct({
  name: Schema.String,
  commit: PayloadCommit,
  protected: Schema.Boolean,
  required_approvals: Schema.Int,
  enable_status_check: Schema.Boolean,
  status_check_contexts: Schema.Array(Schema.String),
  user_can_push: Schema.Boolean,
  user_can_merge: Schema.Boolean,
  effective_branch_protection_name: Schema.String
}).annotate({ identifier: "Branch" })

/** The request body that creates a branch. */
export const CreateBranchRepoOption = Schema.Struct({
  new_branch_name: NewBranchName,
  old_ref_name: optionalNullable(text(300)),
  old_branch_name: optionalNullable(text(300))
}).annotate({ identifier: "CreateBranchRepoOption" })

/** The request body that moves a branch to another commit. */
export const UpdateBranchRepoOption = Schema.Struct({
  new_commit_id: text(300),
  old_commit_id: optionalNullable(text(64)),
  force: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "UpdateBranchRepoOption" })

/** The request body that renames a branch. */
export const RenameBranchRepoOption = Schema.Struct({ name: NewBranchName }).annotate({
  identifier: "RenameBranchRepoOption"
})

/** The endpoints of branches. */
export const branchEndpoints = endpoints("branches", "Branches of a repository.", {
  "repository.branch.list": list(Branch, {
    query: { q: Schema.optionalKey(text(255)).annotate({ description: "A part of the name, ignoring case." }) }
  }),
  "repository.branch.read": read(Branch),
  "repository.branch.create": create(Branch, { body: CreateBranchRepoOption, errors: [ConflictBody] }),
  "repository.branch.move": done({ body: UpdateBranchRepoOption, errors: [ConflictBody] }),
  "repository.branch.rename": done({ body: RenameBranchRepoOption, errors: [ConflictBody] }),
  "repository.branch.delete": remove({ errors: [ConflictBody] })
})

/** A tag with its commit. */
export const Tag = Schema.Struct({
  name: Schema.String,
  message: Schema.String,
  id: Schema.String,
  commit: CommitMeta,
  zipball_url: Schema.String,
  tarball_url: Schema.String
}).annotate({ identifier: "Tag" })

/** The request body that creates a tag. */
export const CreateTagOption = Schema.Struct({
  tag_name: text(300),
  message: optionalNullable(text(64 * 1024)),
  target: optionalNullable(text(300))
}).annotate({ identifier: "CreateTagOption" })

/** The endpoints of tags. */
export const tagEndpoints = endpoints("tags", "Tags of a repository.", {
  "repository.tag.list": list(Tag),
  "repository.tag.read": read(Tag),
  "repository.tag.create": create(Tag, { body: CreateTagOption, errors: [ConflictBody] }),
  "repository.tag.delete": remove({ errors: [ConflictBody] })
})
