import type { Presented } from "@slipway/domain/forge/identity"
import { Context, Effect } from "effect"
import type { InvalidCredentials } from "./authenticate.ts"

/** A custom way to authenticate requests. */
export interface Authenticating {
  /**
   * Returns the user name of a request's caller. If it is undefined, the forge authenticates the request by itself.
   *
   * An invalid credential is an error, never an anonymous caller.
   */
  readonly callerOf: (request: Presented) => Effect.Effect<string | undefined, InvalidCredentials>
}

/** The custom authenticator; authenticates no caller unless a layer provides one. */
export const Authenticator = Context.Reference<Authenticating>("@slipway/domain/forge/Authenticator", {
  defaultValue: () => ({ callerOf: () => Effect.succeed(undefined) })
})
