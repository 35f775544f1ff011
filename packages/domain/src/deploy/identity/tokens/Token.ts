import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Ability } from "../../access/abilities.ts"
import type { AccountUuid } from "../accounts/Account.ts"
import type { TeamId } from "../teams/Team.ts"

/** The uuid of a token. */
export const TokenUuid = Uuid.pipe(Schema.brand("TokenUuid"))
export type TokenUuid = typeof TokenUuid.Type

/** An API token (bearer token) of an account or a team; only its hash is stored (decision "Bearer tokens"). */
export interface Token extends Entity {
  readonly uuid: TokenUuid
  readonly teamId: TeamId
  /** The account of the token; its grants also limit the token. Null for a token of the team itself. */
  readonly accountUuid: AccountUuid | null
  /** The projects that the token is limited to; null for all. */
  readonly projects: ReadonlyArray<string> | null
  readonly name: string
  readonly abilities: ReadonlyArray<Ability>
  /** The SHA-256 of the complete token as clients send it, in hexadecimal digits. */
  readonly hash: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

/** Reports that the token does not exist. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", {}) {}
/** The maximum number of tokens of an account. */
export const mostTokens = 100

/** Reports that the account has the maximum number of tokens. */
export class TooManyTokens extends Schema.TaggedError<TooManyTokens>()("TooManyTokens", { most: Schema.Number }) {}
/** Reports that a token cannot be removed, because it is the last one with the ability `root`. */
export class LastRootToken extends Schema.TaggedError<LastRootToken>()("LastRootToken", {}) {}
/** Reports that a request has no valid token. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {}) {}
