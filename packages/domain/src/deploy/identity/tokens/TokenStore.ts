import { Context, type Effect } from "effect"
import type { Account, AccountUuid } from "../accounts/Account.ts"
import type { AccountAccess } from "../grants/Access.ts"
import type { VisibleCollection } from "../grants/Visible.ts"
import type { TeamId } from "../teams/Team.ts"
import type { Token, TokenUuid } from "./Token.ts"

/** A token with the data that is needed to authorize a request: its account, and the account's grants. */
export interface FoundToken {
  readonly token: Token
  /** The account of the token; undefined for a token of a team. */
  readonly account: Account | undefined
  /** The teams and grants of the account; undefined for a token of a team. */
  readonly access: AccountAccess | undefined
  /** Whether the instance settings allow the use of the API with tokens. */
  readonly isApiEnabled: boolean
}

/**
 * Stores tokens by the hashes of their secrets.
 *
 * Must:
 * - find a token only by its hash
 * - find a token together with its account, and the teams and grants of the account
 * - report with a token whether the API is enabled, which it is before the first write of the settings
 * - list the tokens of an account, oldest first
 * - list the tokens of a team that belong to no account and have not expired at a time, oldest first
 * - store when a token was last used, and never an earlier time
 * - return every token of the instance with `root`, oldest first, and block their removal until this transaction ends
 */
export class TokenStore extends Context.Service<
  TokenStore,
  VisibleCollection<Token> & {
    readonly findByHash: (hash: string) => Effect.Effect<Token | undefined>
    readonly findWithAccount: (hash: string) => Effect.Effect<FoundToken | undefined>
    readonly ofAccount: (uuid: AccountUuid) => Effect.Effect<ReadonlyArray<Token>>
    readonly withoutAccount: (team: TeamId, at: string) => Effect.Effect<ReadonlyArray<Token>>
    readonly lockRoots: Effect.Effect<ReadonlyArray<Token>>
    readonly touch: (uuid: TokenUuid, usedAt: string) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/TokenStore") {}
