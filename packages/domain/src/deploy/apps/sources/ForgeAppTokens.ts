import { Context, type Effect, type Redacted } from "effect"
import type { ForgeApp } from "../../infrastructure/forge-apps/ForgeApp.ts"
import type { CheckoutFailed } from "./Sources.ts"

/** Requests the tokens with which app installations read their repositories. */
export class ForgeAppTokens extends Context.Service<
  ForgeAppTokens,
  {
    /** Returns a token of an app installation that stays valid for at least some minutes. */
    readonly token: (app: ForgeApp, privateKey: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, CheckoutFailed>
  }
>()("@slipway/domain/deploy/ForgeAppTokens") {}
