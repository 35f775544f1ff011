import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

import type { Push, PushId } from "./Push.ts"

/** A push before it is stored, without an id. */
export type NewPush = Omit<Push, "id" | "settled">

/**
 * Stores pushes: open ones until it is known which changes git applied, and settled ones afterwards.
 *
 * Must:
 * - return a new push as begun, with the state open and an id
 * - return nothing for a missing push
 * - settle a push once with its changed refs, and report when it was settled before
 * - count the bytes of the open pushes of a repository
 * - return the refs of a push that a later push changes from their new target
 * - report whether an open push of a repository changes a ref
 * - list the settled pushes of a repository with changes, newest first, and count them
 * - remove the pushes of a removed repository
 */
export class PushStore extends Context.Service<
  PushStore,
  {
    readonly begin: (push: NewPush) => Effect.Effect<Push>
    readonly find: (id: PushId) => Effect.Effect<Push | undefined>
    /** Settles a push: keeps only the ref changes that git applied (`changed`); false if it was settled before. */
    readonly settle: (id: PushId, changed: ReadonlyArray<string>) => Effect.Effect<boolean>
    readonly pending: (repository: RepositoryId) => Effect.Effect<number>
    /** Returns the refs of a push that a later push changed, starting from the commit that this push set. */
    readonly followed: (id: PushId) => Effect.Effect<ReadonlyArray<string>>
    readonly isChanging: (repository: RepositoryId, ref: string) => Effect.Effect<boolean>
    readonly list: (repository: RepositoryId, page: PageRequest) => Effect.Effect<Page<Push>>
  }
>()("@slipway/domain/forge/PushStore") {}
