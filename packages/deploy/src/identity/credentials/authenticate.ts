import { isSessionText } from "@slipway/domain/deploy/identity"
import { Effect, Redacted } from "effect"
import * as Sessions from "../sessions/Sessions.ts"
import * as Tokens from "../tokens/Tokens.ts"

/**
 * Authenticates the credential of a request: a session or a bearer token.
 *
 * The server that renders the pages sends the session of the browser as the credential of its API requests. The API
 * never reads a session from a cookie, so other sites cannot use it (CSRF).
 */
export const authenticate = Effect.fnUntraced(function* (presented: Redacted.Redacted) {
  // A token that the operator chose may look like a session.
  const inSession = isSessionText(Redacted.value(presented)) ? yield* Sessions.authenticate(presented) : undefined
  return inSession ?? (yield* Tokens.authenticate(presented))
})
