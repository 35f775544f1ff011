import { Context, type Effect } from "effect"
import type { Collection } from "../../Collection.ts"
import type { Token, TokenUuid } from "./Token.ts"

/**
 * Keeps tokens by the hashes of their secrets.
 *
 * Must:
 * - find a token by its hash alone
 * - remember when a token was last used, never earlier than it knew
 */
export class TokenStore extends Context.Service<
  TokenStore,
  Collection<Token> & {
    readonly findByHash: (hash: string) => Effect.Effect<Token | undefined>
    readonly touch: (uuid: TokenUuid, usedAt: string) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/TokenStore") {}
