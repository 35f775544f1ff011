import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { SeenUser, UserId } from "../users/User.ts"
import type { Viewer } from "../viewers/Viewer.ts"

/**
 * Stores which users follow which others.
 *
 * Must:
 * - follow once, however often it is asked to
 * - stop following once, and tell when it wasn't so
 * - list those that the viewer sees, in the order in which they followed, and count them alike
 * - forget the follows of a user who is removed
 */
export class FollowStore extends Context.Service<
  FollowStore,
  {
    readonly add: (follower: UserId, followed: UserId) => Effect.Effect<void>
    readonly remove: (follower: UserId, followed: UserId) => Effect.Effect<boolean>
    readonly has: (follower: UserId, followed: UserId) => Effect.Effect<boolean>
    /** Lists who follows a user. */
    readonly followers: (viewer: Viewer, of: UserId, page: PageRequest) => Effect.Effect<Page<SeenUser>>
    /** Lists the users that a user follows. */
    readonly following: (viewer: Viewer, of: UserId, page: PageRequest) => Effect.Effect<Page<SeenUser>>
  }
>()("@slipway/domain/forge/FollowStore") {}
