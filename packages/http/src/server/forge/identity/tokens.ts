import type { AccessToken } from "@slipway/domain/forge/identity"
import { AccessTokens, TokenRotations } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { tokenEndpoints } from "../../../api/forge/identity/tokens.ts"
import { showToken } from "../base/show.ts"
import { handle, shown } from "../entry/handle.ts"

/** The handlers of access tokens. */
export const layerTokens = handle(
  tokenEndpoints,
  {
    "token.read": ({ proof }) => AccessTokens.introspect(proof),
    "token.delete": ({ proof }) => AccessTokens.removeInUse(proof),
    "token.exchange": ({ proof }) =>
      Effect.map(AccessTokens.exchange(proof), ({ plain, token }) => shown(showToken(token, Redacted.value(plain)))),
    "token.rotate": ({ proof }) =>
      Effect.map(TokenRotations.rotate(proof), ({ plain, token }) => shown(showToken(token, Redacted.value(plain)))),
    "token.confirm": ({ proof }) => Effect.asVoid(TokenRotations.confirm(proof)),
    "user.token.list": ({ page, proof }) => AccessTokens.list(proof, page),
    "user.token.create": ({ body, proof }) => {
      const { expires_at: expiresAt = null, name, one_time: isOneTime = false, scopes = [] } = body
      return Effect.map(AccessTokens.create(proof, { name, scopes, expiresAt, isOneTime }), ({ plain, token }) =>
        shown(showToken(token, Redacted.value(plain)))
      )
    },
    "user.token.delete": ({ params, proof }) => AccessTokens.remove(proof, params.id)
  },
  { show: (token: AccessToken) => showToken(token) }
)
