import { Context, type Effect } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { Token, TokenUuid } from "./Token.ts"

/**
 * Keeps tokens by the hashes of their secrets.
 *
 * Must:
 * - find a token by its hash alone
 * - remember when a token was last used, never earlier than it knew
 * - give every token with `root`, oldest first, and keep other transactions from removing them until this one ends
 */
export class TokenStore extends Context.Service<
  TokenStore,
  Collection<Token> & {
    readonly findByHash: (hash: string) => Effect.Effect<Token | undefined>
    readonly lockRoots: Effect.Effect<ReadonlyArray<Token>>
    readonly touch: (uuid: TokenUuid, usedAt: string) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/TokenStore") {}
