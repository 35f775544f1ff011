import {
  OutsideProvider,
  OutsideRefused,
  type ProviderClient,
  ProviderConnector,
  type SignInProvider
} from "@slipway/domain/sign-in"
import { Effect, Layer, Redacted } from "effect"
import type { Configuration, CustomFetch } from "openid-client"

/** The settings of an external OpenID provider that users can sign in with. */
export interface OutsideSettings extends ProviderClient {
  /** Sends requests in place of the platform's `fetch`. */
  readonly fetch?: CustomFetch | undefined
}

const longest = 10

const textOf = (problem: unknown): string => {
  const { cause, code, error, message } = problem as Record<string, unknown>
  const inner = cause instanceof Error ? cause.message : undefined
  return [message, code, error, inner].filter((each) => typeof each === "string").join(": ")
}

const attempt = <A>(act: () => Promise<A>): Effect.Effect<A, OutsideRefused> =>
  Effect.tryPromise({ try: act, catch: (problem) => new OutsideRefused({ because: textOf(problem) }) })

/** Returns the name and the email address of a user from the claims of the provider. An absent value is omitted. */
const profileOf = (claims: Readonly<Record<string, unknown>>) => {
  const name = [claims.preferred_username, claims.nickname, claims.name].find((each) => typeof each === "string")
  return {
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof claims.email === "string" ? { email: claims.email } : {})
  }
}

/**
 * Makes a sign-in provider from an external OpenID Connect service. Uses the code flow with PKCE, state and nonce, by
 * the library openid-client.
 *
 * The metadata of the service is loaded at the first sign-in. If loading fails, the next sign-in loads it again.
 */
const providerOf = ({
  clientId,
  clientSecret,
  fetch,
  issuer,
  name,
  profile = false
}: OutsideSettings): SignInProvider => {
  let known: Configuration | undefined
  const library = attempt(() => import("openid-client"))
  const configured = Effect.flatMap(library, (client) =>
    known === undefined
      ? attempt(async () => {
          known = await client.discovery(
            issuer,
            clientId,
            undefined,
            client.ClientSecretBasic(Redacted.value(clientSecret)),
            {
              timeout: longest,
              execute: [
                // The service's id token is verified by its key, not only by the connection.
                client.enableNonRepudiationChecks,
                // An operator who configures an address without encryption means a service on the same machine.
                ...(issuer.protocol === "http:" ? [client.allowInsecureRequests] : [])
              ],
              ...(fetch === undefined ? {} : { [client.customFetch]: fetch })
            }
          )
          return { client, known }
        })
      : Effect.succeed({ client, known })
  )
  return {
    name,
    issuer: issuer.href,
    begin: Effect.fnUntraced(function* (callback: string) {
      const { client, known } = yield* configured
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier()
      }
      const challenge = yield* attempt(() => client.calculatePKCECodeChallenge(checks.verifier))
      const address = client.buildAuthorizationUrl(known, {
        redirect_uri: callback,
        scope: profile ? "openid profile email" : "openid",
        code_challenge: challenge,
        code_challenge_method: "S256",
        state: checks.state,
        nonce: checks.nonce
      }).href
      return { address, checks }
    }),
    finish: Effect.fnUntraced(function* (address: string, { nonce, state, verifier }) {
      const { client, known } = yield* configured
      const tokens = yield* attempt(() =>
        client.authorizationCodeGrant(known, new URL(address), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true
        })
      )
      const claims = tokens.claims()
      if (claims === undefined) return yield* new OutsideRefused({ because: "it does not name the signed-in user" })
      const identity = { issuer: claims.iss, subject: claims.sub }
      if (!profile) return identity
      // Providers may put these claims into the id token, or only into the answer about the user.
      const reported =
        known.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : yield* attempt(() => client.fetchUserInfo(known, tokens.access_token, claims.sub))
      return { ...identity, ...profileOf({ ...claims, ...reported }) }
    })
  }
}

/** Provides sign-in with the external OpenID Connect service that the operator has configured. */
export const layerOutsideProvider = (settings: OutsideSettings): Layer.Layer<never> =>
  Layer.sync(OutsideProvider, () => providerOf(settings))

/**
 * Provides a function that makes a sign-in provider from stored settings. It caches the metadata of the last provider.
 *
 * `fetchOf` returns the function that sends requests to a provider. It must be protected against SSRF, because users
 * choose the URL of the provider.
 */
export const layerProviderConnector = (fetchOf: (issuer: URL) => CustomFetch): Layer.Layer<never> =>
  Layer.sync(ProviderConnector, () => {
    let last: { readonly key: string; readonly provider: SignInProvider } | undefined
    return (client) => {
      const { clientId, clientSecret, issuer, name, profile } = client
      const key = JSON.stringify([issuer.href, clientId, Redacted.value(clientSecret), name, profile])
      if (last?.key !== key) last = { key, provider: providerOf({ ...client, fetch: fetchOf(issuer) }) }
      return last.provider
    }
  })
