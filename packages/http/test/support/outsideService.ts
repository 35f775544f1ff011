import { generateKeyPairSync, sign } from "node:crypto"
import { layerOutsideProvider, layerProviderConnector } from "@slipway/openid"
import { Redacted } from "effect"
import type { CustomFetch } from "openid-client"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
const liar = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** The claims of an external provider, and its possible errors. */
export interface ProviderClaims {
  readonly sub: string
  readonly claims?: Record<string, unknown>
  /** Signs with another key than the published one. */
  readonly forged?: boolean
}

/** The options of a simulated provider. */
export interface OutsideOptions {
  readonly issuer?: string
  readonly clientId?: string
  /** Whether the service asks for names and email addresses. */
  readonly profile?: boolean
}

/** A simulated OpenID provider, as the standard describes it, for requests of a client library. */
export const outsideService = ({
  clientId = "forge",
  issuer = "https://login.example.com",
  profile = false
}: OutsideOptions = {}) => {
  const asked: Array<string> = []
  const codes = new Map<
    string,
    { readonly nonce: string | null; readonly challenge: string | null; readonly said: ProviderClaims }
  >()
  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })
  const token = async (body: string) => {
    const given = new URLSearchParams(body)
    const found = codes.get(given.get("code") ?? "")
    codes.delete(given.get("code") ?? "")
    const verifier = new TextEncoder().encode(given.get("code_verifier") ?? "")
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", verifier)).toString("base64url")
    if (found === undefined || digest !== found.challenge) return json({ error: "invalid_grant" }, 400)
    const { claims, forged, sub } = found.said
    const at = Math.floor(Date.now() / 1000)
    const payload = { iss: issuer, aud: clientId, exp: at + 60, iat: at, nonce: found.nonce, sub, ...claims }
    const text = `${encoded({ alg: "RS256", kid: "one" })}.${encoded(payload)}`
    const signature = sign("RSA-SHA256", Buffer.from(text), forged === true ? liar : privateKey).toString("base64url")
    return json({ access_token: "theirs", token_type: "Bearer", id_token: `${text}.${signature}` })
  }
  const fetch: CustomFetch = (url, { body }) => {
    asked.push(url)
    if (url.endsWith("/.well-known/openid-configuration")) {
      return Promise.resolve(
        json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"]
        })
      )
    }
    if (url === `${issuer}/keys`) {
      return Promise.resolve(
        json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] })
      )
    }
    return url === `${issuer}/token` ? token(String(body)) : Promise.resolve(json({}, 404))
  }
  const layer = layerOutsideProvider({
    name: "Example Login",
    profile,
    issuer: new URL(issuer),
    clientId,
    clientSecret: Redacted.make("secret"),
    fetch
  })
  /** Connects to this provider where the store names it. */
  const connector = layerProviderConnector(() => fetch)
  /** Signs a user in there; returns the path that the browser returns to. */
  const come = (address: string, said: ProviderClaims, more: Record<string, string> = {}) => {
    const { searchParams } = new URL(address)
    const code = `code${codes.size}${asked.length}`
    codes.set(code, { nonce: searchParams.get("nonce"), challenge: searchParams.get("code_challenge"), said })
    const back = new URL(searchParams.get("redirect_uri") ?? "")
    for (const [name, value] of Object.entries({
      code,
      state: searchParams.get("state") ?? "",
      iss: issuer,
      ...more
    })) {
      back.searchParams.set(name, value)
    }
    return `${back.pathname}${back.search}`
  }
  return { issuer, layer, connector, asked, come }
}
