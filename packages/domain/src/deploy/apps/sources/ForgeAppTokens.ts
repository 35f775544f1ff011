import { Context, type Effect, type Redacted } from "effect"
import type { ForgeApp } from "../../infrastructure/forge-apps/ForgeApp.ts"
import type { CheckoutFailed } from "./Sources.ts"

/** Gets the tokens by which app installations read their repositories. */
export class ForgeAppTokens extends Context.Service<
  ForgeAppTokens,
  {
    /** Gives a token of an installation that is good for some minutes at least. */
    readonly token: (app: ForgeApp, privateKey: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, CheckoutFailed>
  }
>()("@slipway/domain/deploy/ForgeAppTokens") {}
