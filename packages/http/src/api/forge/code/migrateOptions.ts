import { RepositoryName } from "@slipway/domain/forge/code"
import { Schema } from "effect"
import { optionalNullable, text } from "../base/schemas.ts"

/** The request body that migrates a repository from another host. */
export const MigrateRepoOptions = Schema.Struct({
  clone_addr: text(2_000),
  repo_name: RepositoryName,
  repo_owner: optionalNullable(text(100).check(Schema.isNonEmpty())),
  uid: optionalNullable(Schema.Int),
  service: optionalNullable(
    Schema.Literals(["git", "github", "gitea", "gitlab", "gogs", "onedev", "gitbucket", "codebase", "codecommit"])
  ),
  auth_username: optionalNullable(text(255)),
  auth_password: optionalNullable(text(1_000)),
  auth_token: optionalNullable(text(1_000)),
  description: optionalNullable(text(2_048)),
  private: optionalNullable(Schema.Boolean),
  mirror: optionalNullable(Schema.Boolean),
  mirror_interval: optionalNullable(text(40).check(Schema.isNonEmpty())),
  wiki: optionalNullable(Schema.Boolean),
  issues: optionalNullable(Schema.Boolean),
  labels: optionalNullable(Schema.Boolean),
  lfs: optionalNullable(Schema.Boolean),
  milestones: optionalNullable(Schema.Boolean),
  pull_requests: optionalNullable(Schema.Boolean),
  releases: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "MigrateRepoOptions" })
