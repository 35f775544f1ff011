import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { SeenUser, UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

/**
 * Stores which users follow which others.
 *
 * Must:
 * - store a follow once, even if requested repeatedly
 * - remove a follow once, and report when there is none
 * - list visible users in the order of following, with the matching total
 * - remove the follows of a removed user
 */
export class FollowStore extends Context.Service<
  FollowStore,
  {
    readonly add: (follower: UserId, followed: UserId) => Effect.Effect<void>
    readonly remove: (follower: UserId, followed: UserId) => Effect.Effect<boolean>
    readonly has: (follower: UserId, followed: UserId) => Effect.Effect<boolean>
    /** Lists the followers of a user. */
    readonly followers: (viewer: Viewer, of: UserId, page: PageRequest) => Effect.Effect<Page<SeenUser>>
    /** Lists the users that a user follows. */
    readonly following: (viewer: Viewer, of: UserId, page: PageRequest) => Effect.Effect<Page<SeenUser>>
  }
>()("@slipway/domain/forge/FollowStore") {}
