import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { OwnerId } from "../organizations/Organization.ts"
import type { SeenUser, UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

/** That a user or an organization blocks a user, with what they noted about it. */
export interface Block {
  readonly blocker: OwnerId
  readonly blocked: UserId
  readonly note: string
}

/**
 * Stores which users and organizations block which users.
 *
 * Must:
 * - block once, with the note that was given last
 * - stop blocking once, and tell when it wasn't so
 * - list those that the viewer sees, in the order in which they were blocked, and count them alike
 * - keep the blocks of organizations beside those of users
 * - find those of some who block a user
 * - forget the blocks of a user or an organization that is removed
 */
export class BlockStore extends Context.Service<
  BlockStore,
  {
    readonly add: (block: Block) => Effect.Effect<void>
    readonly remove: (blocker: OwnerId, blocked: UserId) => Effect.Effect<boolean>
    readonly find: (blocker: OwnerId, blocked: UserId) => Effect.Effect<Block | undefined>
    readonly blockersOf: (blocked: UserId, among: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<UserId>>
    readonly list: (viewer: Viewer, blocker: OwnerId, page: PageRequest) => Effect.Effect<Page<SeenUser>>
  }
>()("@slipway/domain/forge/BlockStore") {}
