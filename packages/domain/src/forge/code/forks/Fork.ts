import { Effect, Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { OwnerId } from "../../identity/organizations/Organization.ts"

/** The relation between a fork and its source repository. */
export interface Fork {
  readonly id: number
  readonly repositoryId: RepositoryId
  /** The source repository; null after it is deleted, when the fork becomes a regular repository. */
  readonly parentId: RepositoryId | null
  /** The owner of the fork; an owner can have only one fork of a repository. */
  readonly ownerId: OwnerId | null
}

/** The table of forks, which also counts the forks of each repository. */
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

/** Returns the repository from which a repository was forked; undefined if it is no fork or the source was deleted. */
export const parentOf = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  return (yield* (yield* forks.store).findBy("repository", { repositoryId }))?.parentId ?? undefined
})

/** Reports that an owner already has a fork of a repository, or the repository itself. */
export class ForkExists extends Schema.TaggedError<ForkExists>()("ForkExists", { owner: Schema.String }) {}
/** Reports that a repository is not a fork, or that the caller cannot see its source. */
export class NoParent extends Schema.TaggedError<NoParent>()("NoParent", {}) {}
/** Reports that a branch of a fork has diverged from the branch of the source repository, so it cannot be updated. */
export class UpstreamDiverged extends Schema.TaggedError<UpstreamDiverged>()("UpstreamDiverged", {
  paths: Schema.Array(Schema.String)
}) {}
