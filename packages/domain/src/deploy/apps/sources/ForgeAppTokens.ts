import { Context, type Effect, type Redacted } from "effect"
import type { ForgeApp } from "../../infrastructure/forge-apps/ForgeApp.ts"
import type { CheckoutFailed } from "./Sources.ts"

/** Requests the tokens with which app installations read their repositories. */
export class ForgeAppTokens extends Context.Service<
  ForgeAppTokens,
  {
    /** Returns a token of an installation that is valid for at least some minutes. */
    readonly token: (app: ForgeApp, privateKey: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, CheckoutFailed>
  }
>()("@slipway/domain/deploy/ForgeAppTokens") {}
