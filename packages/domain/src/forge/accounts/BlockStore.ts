import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../Page.ts"
import type { Viewer } from "./Actor.ts"
import type { SeenUser, UserId } from "./User.ts"

/** That a user blocks another, with what they noted about it. */
export interface Block {
  readonly blocker: UserId
  readonly blocked: UserId
  readonly note: string
}

/**
 * Keeps who blocks whom.
 *
 * Must:
 * - block once, with the note that was given last
 * - stop blocking once, and tell when it wasn't so
 * - tell whether either of two users blocks the other
 * - list those that the viewer sees, in the order in which they were blocked, and count them alike
 * - forget the blocks of a user who is removed
 */
export class BlockStore extends Context.Service<
  BlockStore,
  {
    readonly add: (block: Block) => Effect.Effect<void>
    readonly remove: (blocker: UserId, blocked: UserId) => Effect.Effect<boolean>
    readonly find: (blocker: UserId, blocked: UserId) => Effect.Effect<Block | undefined>
    readonly between: (one: UserId, other: UserId) => Effect.Effect<boolean>
    readonly list: (viewer: Viewer, blocker: UserId, page: PageRequest) => Effect.Effect<Page<SeenUser>>
  }
>()("@slipway/domain/forge/BlockStore") {}
