import { Context, type Effect } from "effect"
import type { Duplicate } from "../../Collection.ts"
import type { Page, PageRequest } from "../../Page.ts"
import type { UserId } from "../accounts/User.ts"
import type { AccessToken, TokenId } from "./AccessToken.ts"

/** A token that has no number yet, with the hash of its secret. */
export interface NewAccessToken extends Omit<AccessToken, "id" | "lastUsedAt"> {
  readonly hash: string
}

/**
 * Keeps access tokens by the hashes of their secrets, which nothing gives back.
 *
 * Must:
 * - give back a token as it was inserted, with a number
 * - refuse a second token of a name among those of one user, ignoring case
 * - list the tokens of one user alone, in the order of their insertion, and count them
 * - find a token of one user alone, by number and by name
 * - remove a token of one user alone, once
 * - remove all tokens of one user alone, and tell how many there were
 * - remember when a token was last used, never earlier than it knew
 * - forget the tokens of a user who is removed
 */
export class AccessTokenStore extends Context.Service<
  AccessTokenStore,
  {
    /** Fails with `Duplicate` of `accessToken.name`. */
    readonly insert: (token: NewAccessToken) => Effect.Effect<AccessToken, Duplicate>
    readonly ofUser: (user: UserId, page: PageRequest) => Effect.Effect<Page<AccessToken>>
    readonly find: (user: UserId, id: TokenId) => Effect.Effect<AccessToken | undefined>
    readonly named: (user: UserId, name: string) => Effect.Effect<AccessToken | undefined>
    readonly remove: (user: UserId, id: TokenId) => Effect.Effect<boolean>
    readonly removeAll: (user: UserId) => Effect.Effect<number>
    readonly touch: (id: TokenId, usedAt: string) => Effect.Effect<void>
  }
>()("@slipway/domain/forge/AccessTokenStore") {}
