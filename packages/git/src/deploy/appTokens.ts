import { createHash, createPrivateKey } from "node:crypto"
import { CheckoutFailed, ForgeAppTokens } from "@slipway/domain/deploy/apps"
import type { ForgeApp } from "@slipway/domain/deploy/infrastructure"
import { Egress } from "@slipway/egress"
import { Clock, DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { SignJWT } from "jose"

const Answer = Schema.fromJsonString(
  Schema.Struct({ token: Schema.NonEmptyString, expires_at: Schema.DateTimeUtcFromString })
)
const readAnswer = Schema.decodeUnknownEffect(Answer)

interface CachedToken {
  readonly token: Redacted.Redacted
  /** The expiry time, in milliseconds since 1970. */
  readonly until: number
}

const early = 5 * 60_000
const mostCached = 1_000

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))

const keyOf = (app: ForgeApp, privateKey: Redacted.Redacted): string =>
  JSON.stringify([
    app.apiUrl,
    app.appId,
    app.installationId,
    createHash("sha256").update(Redacted.value(privateKey)).digest("hex")
  ])

/** Signs a JWT that authenticates an app at its git host: valid for ten minutes, issued one minute in the past. */
const signed = (app: ForgeApp, privateKey: Redacted.Redacted, seconds: number) =>
  Effect.tryPromise({
    try: () =>
      new SignJWT()
        .setProtectedHeader({ alg: "RS256", typ: "JWT" })
        .setIssuer(String(app.appId))
        .setIssuedAt(seconds - 60)
        .setExpirationTime(seconds + 9 * 60)
        .sign(createPrivateKey(Redacted.value(privateKey))),
    catch: () => new CheckoutFailed({ because: `the key of the app \`${app.name}\` isn't an RSA key in PEM form` })
  })

const meanings: Readonly<Record<number, string>> = {
  401: "the key isn't the app's, or has been revoked",
  403: "the installation is suspended",
  404: "there is no such installation of the app"
}

/**
 * Layer that requests access tokens for app installations (for example of a GitHub App) from the APIs of git hosts.
 *
 * Tokens are cached until five minutes before they expire.
 */
export const layerForgeAppTokens: Layer.Layer<ForgeAppTokens, never, Egress> = Layer.effect(
  ForgeAppTokens,
  Effect.map(Egress, (egress) => {
    const tokens = new Map<string, CachedToken>()

    const asked = Effect.fnUntraced(function* (app: ForgeApp, privateKey: Redacted.Redacted, now: number) {
      const jwt = yield* signed(app, privateKey, Math.floor(now / 1_000))
      const url = `${app.apiUrl.replace(/\/+$/, "")}/app/installations/${app.installationId}/access_tokens`
      const request = HttpClientRequest.post(url, {
        headers: { authorization: `Bearer ${jwt}`, accept: "application/vnd.github+json", "user-agent": "slipway" }
      })
      const about = `no token for the app \`${app.name}\``
      const { body, status } = yield* Effect.mapError(
        egress.ask(request),
        ({ because }) => new CheckoutFailed({ because: `${about}: ${because}` })
      )
      if (status !== 201) return yield* failing(`${about}: ${meanings[status] ?? `its host answers ${status}`}`)
      const answer = yield* Effect.mapError(
        readAnswer(body),
        () => new CheckoutFailed({ because: `${about}: its host answers something else` })
      )
      return {
        token: Redacted.make(answer.token),
        until: DateTime.toEpochMillis(answer.expires_at) - early
      } satisfies CachedToken
    })

    return {
      token: Effect.fnUntraced(function* (app: ForgeApp, privateKey: Redacted.Redacted) {
        const now = yield* Clock.currentTimeMillis
        for (const [key, { until }] of tokens) if (until <= now) tokens.delete(key)
        const key = keyOf(app, privateKey)
        const present = tokens.get(key)
        if (present !== undefined) return present.token
        const fresh = yield* asked(app, privateKey, now)
        if (tokens.size < mostCached) tokens.set(key, fresh)
        return fresh.token
      })
    }
  })
)
