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
    /** A push is recorded. */
    readonly pushed: (push: SettledPush) => Effect.Effect<void>
    /** The git repository of a mirror exists. */
    readonly gitCreated: (id: RepositoryId) => Effect.Effect<void>
    /** Repositories are about to be deleted. */
    readonly repositoriesLeaving: (ids: ReadonlyArray<RepositoryId>) => Effect.Effect<void>
  }
>()("@slipway/forge/Subscribers") {}
