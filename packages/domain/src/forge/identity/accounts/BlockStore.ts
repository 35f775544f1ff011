import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { OwnerId } from "../organizations/Organization.ts"
import type { SeenUser, UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

/** A block of a user by a user or an organization, with its note. */
export interface Block {
  readonly blocker: OwnerId
  readonly blocked: UserId
  readonly note: string
}

/**
 * Stores which users and organizations block which users.
 *
 * Must:
 * - store a block once, with the latest note
 * - remove a block once, and report when there is none
 * - list visible blocked users in the order of blocking, with the matching total
 * - keep the blocks of organizations separate from those of users
 * - find which of the given users block a user
 * - find which of the given users an owner blocks
 * - remove the blocks of a removed user or organization
 */
export class BlockStore extends Context.Service<
  BlockStore,
  {
    readonly add: (block: Block) => Effect.Effect<void>
    readonly remove: (blocker: OwnerId, blocked: UserId) => Effect.Effect<boolean>
    readonly find: (blocker: OwnerId, blocked: UserId) => Effect.Effect<Block | undefined>
    readonly blockersOf: (blocked: UserId, among: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<UserId>>
    readonly blockedBy: (blocker: OwnerId, among: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<UserId>>
    readonly list: (viewer: Viewer, blocker: OwnerId, page: PageRequest) => Effect.Effect<Page<SeenUser>>
  }
>()("@slipway/domain/forge/BlockStore") {}
