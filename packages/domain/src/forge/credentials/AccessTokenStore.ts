import { Context, type Effect } from "effect"
import type { Duplicate } from "../../Collection.ts"
import type { Page, PageRequest } from "../../Page.ts"
import type { UserId } from "../accounts/User.ts"
import type { AccessToken, TokenId, TokenKind } from "./AccessToken.ts"

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
 * - list the tokens of one user and one kind alone, in the order of their insertion, and count them
 * - find a token of one user alone, by number, and one that the user made by name
 * - find a token by the hash of its secret, and remove it by that once
 * - remove a token of one user alone, once
 * - remove the tokens of one user and of some kinds alone, and tell how many there were
 * - remove the tokens of one grant alone, and tell how many there were
 * - remove the tokens that expired before a moment, but those that users made
 * - remember when a token was last used, never earlier than it knew
 * - forget the tokens of a user who is removed, and those of an application that is
 */
export class AccessTokenStore extends Context.Service<
  AccessTokenStore,
  {
    /** Fails with `Duplicate` of `accessToken.name`. */
    readonly insert: (token: NewAccessToken) => Effect.Effect<AccessToken, Duplicate>
    /** Those that the user made, unless it is said. */
    readonly ofUser: (user: UserId, page: PageRequest, kind?: TokenKind) => Effect.Effect<Page<AccessToken>>
    readonly ofHash: (hash: string) => Effect.Effect<AccessToken | undefined>
    readonly find: (user: UserId, id: TokenId) => Effect.Effect<AccessToken | undefined>
    readonly named: (user: UserId, name: string) => Effect.Effect<AccessToken | undefined>
    readonly remove: (user: UserId, id: TokenId) => Effect.Effect<boolean>
    readonly removeHash: (hash: string) => Effect.Effect<boolean>
    /** Those of every kind, unless it is said. */
    readonly removeAll: (user: UserId, kinds?: ReadonlyArray<TokenKind>) => Effect.Effect<number>
    readonly removeGrant: (grant: string) => Effect.Effect<number>
    readonly removeExpired: (before: string) => Effect.Effect<number>
    readonly touch: (id: TokenId, usedAt: string) => Effect.Effect<void>
  }
>()("@slipway/domain/forge/AccessTokenStore") {}
