import { BranchName, NewBranchName, RepositoryName } from "@slipway/domain/forge/code"
import { Schema } from "effect"
import { create, edit, endpoints, list } from "../base/endpoints.ts"
import { optionalNullable, Repository, text } from "../base/schemas.ts"

/** The request body that forks a repository. */
export const CreateForkOption = Schema.Struct({
  name: optionalNullable(RepositoryName),
  organization: optionalNullable(text(40)),
  default_branch_only: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "CreateForkOption" })

/** The request body that creates a repository from a template. */
export const GenerateRepoOption = Schema.Struct({
  owner: text(40),
  name: RepositoryName,
  description: optionalNullable(text(2_048)),
  private: optionalNullable(Schema.Boolean),
  default_branch: optionalNullable(NewBranchName),
  git_content: optionalNullable(Schema.Boolean),
  labels: optionalNullable(Schema.Boolean),
  protected_branch: optionalNullable(Schema.Boolean),
  topics: optionalNullable(Schema.Boolean),
  avatar: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "GenerateRepoOption" })

/** The request body that syncs a branch of a fork with its parent. */
export const MergeUpstreamRequest = Schema.Struct({
  branch: optionalNullable(BranchName),
  ff_only: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "MergeUpstreamRequest" })

/** The result of syncing a branch of a fork. */
export const MergeUpstreamResponse = Schema.Struct({
  merge_type: Schema.Literals(["up-to-date", "fast-forward", "merge"])
}).annotate({ identifier: "MergeUpstreamResponse" })

/** The request body that transfers a repository to another owner. */
export const TransferRepoOption = Schema.Struct({
  new_owner: text(40),
  team_ids: optionalNullable(Schema.Array(Schema.Int))
}).annotate({ identifier: "TransferRepoOption" })

/** The endpoints of forks, templates and transfers. */
export const forkEndpoints = endpoints("forks", "Forks and transfers of repositories.", {
  "repository.fork.list": list(Repository),
  "repository.fork.create": create(Repository, { body: CreateForkOption, status: 202 }),
  "repository.merge-upstream": edit(MergeUpstreamResponse, { body: MergeUpstreamRequest }),
  "repository.generate": create(Repository, { body: GenerateRepoOption }),
  "repository.transfer": create(Repository, { body: TransferRepoOption, status: 202 }),
  "repository.transfer.accept": edit(Repository, { status: 202 }),
  "repository.transfer.reject": edit(Repository)
})
