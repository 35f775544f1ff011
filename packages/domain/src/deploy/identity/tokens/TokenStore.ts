import { Context, type Effect } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { Token, TokenUuid } from "./Token.ts"

/**
 * Stores tokens by the hashes of their secrets.
 *
 * Must:
 * - find a token only by its hash
 * - store when a token was last used, and never an earlier time
 * - return every token with `root`, oldest first, and block their removal until this transaction ends
 */
export class TokenStore extends Context.Service<
  TokenStore,
  Collection<Token> & {
    readonly findByHash: (hash: string) => Effect.Effect<Token | undefined>
    readonly lockRoots: Effect.Effect<ReadonlyArray<Token>>
    readonly touch: (uuid: TokenUuid, usedAt: string) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/TokenStore") {}
