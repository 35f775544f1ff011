import type { RepositoryId } from "@slipway/domain/forge/base"
import type { PushedRef } from "@slipway/domain/forge/code"
import type { Details, Person } from "@slipway/domain/forge/identity"
import { Context, type Effect } from "effect"

/** A push that git has completed, with the refs that changed. */
export interface SettledPush {
  readonly repositoryId: RepositoryId
  readonly actor: Person | null
  readonly details: Details
  readonly changed: ReadonlyArray<PushedRef>
}

/**
 * Notifies higher areas (groups of modules) of events in lower areas, which cannot import them. Subscribers run in the
 * transaction of the event.
 *
 * `background/subscribers` lists the subscribers of each event.
 */
export class Subscribers extends Context.Service<
  Subscribers,
  {
    /** Runs when the record of a push is completed. */
    readonly pushed: (push: SettledPush) => Effect.Effect<void>
    /** Runs when the default branch of a repository may have another commit. */
    readonly defaultBranchMoved: (id: RepositoryId) => Effect.Effect<void>
    /** Runs when the git repository of a mirror has been created. */
    readonly gitCreated: (id: RepositoryId) => Effect.Effect<void>
    /** Runs before repositories are deleted. */
    readonly repositoriesLeaving: (ids: ReadonlyArray<RepositoryId>) => Effect.Effect<void>
  }
>()("@slipway/forge/Subscribers") {}
