import { Effect, Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OwnerId } from "../../identity/organizations/Organization.ts"

/** The relation between a fork and its source. */
export interface Fork {
  readonly id: number
  readonly repositoryId: RepositoryId
  /** Null after the source repository is deleted: then the fork is a regular repository. */
  readonly parentId: RepositoryId | null
  /** The owner of the fork: each owner has at most one fork of a repository. */
  readonly ownerId: OwnerId | null
}

/** The source repository of each fork, with the number of forks of each repository. */
export const forks = owned<Fork>()("fork", {
  within: ["parentId", "repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    parentId: Fields.looseReference("repository"),
    ownerId: Fields.nullable(Fields.integer())
  },
  unique: { repository: ["repositoryId"], owner: ["parentId", "ownerId"] },
  counters: { forks: { of: "parentId" } }
})

/** Reads the repository that one was forked from; undefined if it no longer exists. */
export const parentOf = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  return (yield* (yield* forks.store).findBy("repository", { repositoryId }))?.parentId ?? undefined
})

/** Reports that an owner already has a fork of a repository, or the repository itself. */
export class ForkExists extends Schema.TaggedError<ForkExists>()("ForkExists", { owner: Schema.String }) {}
/** Reports that a repository is not a fork, or that the caller cannot see its source. */
export class NoParent extends Schema.TaggedError<NoParent>()("NoParent", {}) {}
/** Reports that a branch of a fork cannot be merged with that of its parent as requested. */
export class UpstreamDiverged extends Schema.TaggedError<UpstreamDiverged>()("UpstreamDiverged", {
  paths: Schema.Array(Schema.String)
}) {}
