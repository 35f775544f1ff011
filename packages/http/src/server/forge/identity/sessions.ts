import { SiteSettings } from "@slipway/domain/forge/base"
import { numberIn } from "@slipway/domain/forge/entry"
import { type AccessToken, addressOf } from "@slipway/domain/forge/identity"
import {
  changePassword,
  Grants,
  Identities,
  PasswordResets,
  SecondFactors,
  Sessions,
  SignUps
} from "@slipway/forge/identity"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { Session, sessionEndpoints } from "../../../api/forge/identity/sessions.ts"
import { PublicUrl, publicUrlFor } from "../base/PublicUrl.ts"
import { resetSlowed, signUpSlowed } from "../entry/admission.ts"
import { entryRequest } from "../entry/guard.ts"
import { handle, mapRows } from "../entry/handle.ts"
import { withSession } from "../entry/login/browser.ts"

const textIn = (origin: AccessToken["origin"], name: string): string => {
  const value = origin[name]
  return typeof value === "string" ? value : ""
}

const showSession = (session: AccessToken, current: AccessToken | undefined) => ({
  id: session.id,
  current: session.id === current?.id,
  user_agent: textIn(session.origin, "agent"),
  address: textIn(session.origin, "address"),
  created_at: session.createdAt,
  expires_at: session.expiresAt,
  last_used_at: session.lastUsedAt
})

const encode = Schema.encodeSync(Session)

/** The handlers for the endpoints of the signed-in user's sessions, password and authorized OAuth2 applications. */
export const layerSessions = handle(sessionEndpoints, {
  "account.create": Effect.fnUntraced(function* ({ body, proof, request }) {
    const { signIn } = yield* SiteSettings
    const from = addressOf(entryRequest(request, yield* PublicUrl), signIn)
    const { email, full_name: fullName, password, username: name } = body
    return yield* SignUps.create(proof, { name, email, password, fullName }, from).pipe(
      Effect.map(({ confirmationSent, user }) => ({
        id: user.id,
        login: user.name,
        email,
        active: user.active,
        confirmation_sent: confirmationSent
      })),
      Effect.catchTag("SignInSlowed", signUpSlowed)
    )
  }),
  "account.password-reset.create": Effect.fnUntraced(function* ({ body, proof, request }) {
    const { signIn } = yield* SiteSettings
    const from = addressOf(entryRequest(request, yield* PublicUrl), signIn)
    return yield* Effect.catchTag(PasswordResets.request(proof, body.email, from), "SignInSlowed", resetSlowed)
  }),
  "account.password-reset.finish": ({ body, proof }) => PasswordResets.complete(proof, body.code, body.password),
  "account.session.list": ({ page, proof }) =>
    mapRows(Sessions.list(proof, page), (session) => showSession(session, proof.resource.actor.token)),
  "account.session.create": Effect.fnUntraced(function* ({ proof, request }) {
    const session = yield* Sessions.begin(proof, request.headers["user-agent"] ?? "")
    const { signIn } = yield* SiteSettings
    const secure = publicUrlFor(yield* PublicUrl, request, signIn).rootUrl.startsWith("https:")
    const answer = HttpServerResponse.jsonUnsafe(encode(showSession(session.token, session.token)), { status: 201 })
    return withSession({ secure }, session, answer)
  }),
  "account.session.delete-all": ({ proof }) => Sessions.endAll(proof),
  "account.session.delete": ({ params, proof }) => Sessions.end(proof, numberIn(params.id)),
  "account.password.set": ({ body, proof }) => {
    const { end_sessions: endSessions = true, end_tokens: endTokens = false, password } = body
    return Effect.as(changePassword(proof, { password, endSessions, endTokens }), { changed: true })
  },
  "account.grant.list": ({ proof }) =>
    Effect.map(Grants.list(proof), (grants) =>
      grants.map(({ clientId, id, name, scopes }) => ({ id, name, client_id: clientId, scopes }))
    ),
  "account.grant.delete": ({ params, proof }) => Grants.end(proof, numberIn(params.id)),
  "account.identity.list": ({ proof }) =>
    Effect.map(Identities.list(proof), (found) =>
      found.map(({ createdAt, id, issuer, subject }) => ({ id, issuer, subject, created_at: createdAt }))
    ),
  "account.identity.delete": ({ params, proof }) => Identities.remove(proof, numberIn(params.id)),
  "admin.user.second-factor.delete": ({ params, proof }) => SecondFactors.disableOf(proof, params.username)
})
