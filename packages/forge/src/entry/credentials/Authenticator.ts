import type { Presented } from "@slipway/domain/forge/identity"
import { Context, Effect } from "effect"
import type { InvalidCredentials } from "./authenticate.ts"

/** A custom method to authenticate requests, provided by the host program. */
export interface Authenticating {
  /**
   * Returns the name of the user who sent a request. If it is undefined, the forge checks the request's own
   * credentials.
   *
   * Must fail for an invalid credential: it must not become an anonymous request.
   */
  readonly callerOf: (request: Presented) => Effect.Effect<string | undefined, InvalidCredentials>
}

/**
 * The custom authenticator. The default identifies no user, so that the forge checks the credentials of every request.
 */
export const Authenticator = Context.Reference<Authenticating>("@slipway/domain/forge/Authenticator", {
  defaultValue: () => ({ callerOf: () => Effect.succeed(undefined) })
})
