import { isSessionText } from "@slipway/domain/deploy/identity"
import { Effect, Redacted } from "effect"
import * as Sessions from "../sessions/Sessions.ts"
import * as Tokens from "../tokens/Tokens.ts"

/**
 * Authenticates the credential of a request: a session or a bearer token.
 *
 * A session is a credential like a token, which pages send for their browser. Requests of the API never have it from a
 * cookie, so that no page of another site can use it (CSRF).
 */
export const authenticate = Effect.fnUntraced(function* (presented: Redacted.Redacted) {
  // A token that the operator chose may look like a session.
  const inSession = isSessionText(Redacted.value(presented)) ? yield* Sessions.authenticate(presented) : undefined
  return inSession ?? (yield* Tokens.authenticate(presented))
})
