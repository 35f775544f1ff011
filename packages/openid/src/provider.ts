import { randomInt } from "node:crypto"
import { secondsOf } from "@slipway/domain"
import { scopeWords } from "@slipway/domain/forge/access"
import { emailsOf, identiconName, tokenText, type User, UserId } from "@slipway/domain/forge/identity"
import { ClientSecrets, groupsOf, usableAccount } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import type { Configuration, default as OidcProvider } from "oidc-provider"
import { Provider } from "oidc-provider/lib/provider.js"
import { makeAdapter } from "./adapter.ts"
import { lifetimes } from "./lifetimes.ts"
import { show } from "./pages.ts"
import { applicationOf, consentOf, type Run } from "./records.ts"

/** Returns the path of the page where a user signs in and consents to an authorization request of an application. */
export const interactionPath = (id: string): string => `/login/oauth/interaction/${id}`

const codeAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

const claimsOf = (user: User, rootUrl: string, isVerified: boolean) => ({
  sub: String(user.id),
  name: user.fullName || user.name,
  preferred_username: user.name,
  profile: `${rootUrl}/${user.name}`,
  picture: `${rootUrl}/avatars/${user.avatar ?? identiconName(user.name)}`,
  website: user.website,
  email: user.email,
  email_verified: isVerified,
  updated_at: secondsOf(user.updatedAt)
})

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/

// A native program takes any free port on its user's machine (RFC 8252, section 7.3); all else is compared as text.
const withoutPort = (uri: string): string => uri.replace(loopback, "http://$1")

/**
 * The classes of the library's models. This file changes their prototypes, because the library has no settings for
 * this.
 */
interface Models {
  readonly Client: {
    readonly prototype: {
      readonly clientId: string
      readonly redirectUris: ReadonlyArray<string>
      readonly tokenEndpointAuthMethod: string
      redirectUriAllowed: (uri: string) => boolean
      compareClientSecret: (secret: string) => Promise<boolean>
    }
  }
  readonly AccessToken: { readonly prototype: { generateTokenId: () => string } }
}

const problemOf = ({ error, error_description: description }: { error?: unknown; error_description?: unknown }) =>
  String(description ?? error ?? "")

const configuration = (run: Run, rootUrl: string, keys: Pick<Configuration, "cookies" | "jwks">): Configuration => ({
  ...keys,
  adapter: makeAdapter(run),
  claims: {
    openid: ["sub"],
    profile: ["name", "preferred_username", "profile", "picture", "website", "updated_at"],
    email: ["email", "email_verified"],
    groups: ["groups"]
  },
  clientBasedCORS: (_, origin, { redirectUris = [] }) =>
    redirectUris.some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
  conformIdTokenClaims: false,
  enabledJWA: { idTokenSigningAlgValues: ["RS256", "ES256"] },
  expiresWithSession: () => false,
  features: {
    claimsParameter: { enabled: false },
    deviceFlow: {
      enabled: true,
      userCodeInputSource: (ctx, _, _out, problem) => {
        const xsrf = ctx.oidc.session?.state?.secret as string | undefined
        show(ctx, { kind: "code", ...(xsrf && { xsrf }), ...(problem && { problem: problem.message }) })
      },
      userCodeConfirmSource: (ctx, _, client, _info, userCode) => {
        const xsrf = ctx.oidc.session?.state?.secret as string | undefined
        show(ctx, { kind: "confirm", ...(xsrf && { xsrf }), userCode, name: client.clientName ?? client.clientId })
      },
      successSource: (ctx) => show(ctx, { kind: "done", name: ctx.oidc.client?.clientName ?? "" })
    },
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    introspection: {
      enabled: true,
      allowedPolicy: (_, client, token) =>
        client.tokenEndpointAuthMethod !== "none" && token.clientId === client.clientId
    },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
    rpInitiatedLogout: { enabled: false }
  },
  findAccount: async (_, accountId) => {
    const user = await run(usableAccount(UserId.make(Number(accountId))))
    const isVerified = async () =>
      user !== undefined &&
      (await run(emailsOf(user.id))).some(({ primaryOf, verified }) => primaryOf !== null && verified)
    if (user === undefined) return undefined
    return {
      accountId,
      claims: async (_use, scope) => ({
        ...claimsOf(user, rootUrl, await isVerified()),
        ...(scope.split(" ").includes("groups") ? { groups: await run(groupsOf(user)) } : {})
      })
    }
  },
  interactions: { url: (_, interaction) => interactionPath(interaction.uid) },
  issueRefreshToken: async (_, client) => client.grantTypeAllowed("refresh_token"),
  loadExistingGrant: async (ctx) => {
    const chosen = ctx.oidc.result?.consent?.grantId
    const id = chosen ?? (await run(standingGrant(ctx.oidc.session?.accountId, ctx.oidc.client?.clientId)))
    return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id)
  },
  pkce: { required: (_, client) => client.tokenEndpointAuthMethod === "none" },
  renderError: (ctx, out) => show(ctx, { kind: "failed", problem: problemOf(out) }),
  responseTypes: ["code"],
  rotateRefreshToken: true,
  routes: {
    authorization: "/login/oauth/authorize",
    code_verification: "/login/device",
    device_authorization: "/login/device/code",
    introspection: "/login/oauth/introspect",
    jwks: "/login/oauth/keys",
    revocation: "/login/oauth/revoke",
    token: "/login/oauth/access_token",
    userinfo: "/login/oauth/userinfo"
  },
  scopes: ["openid", "offline_access", "profile", "email", "groups", ...scopeWords],
  ttl: lifetimes
})

// A public client can't prove its identity: its users are asked each time, unless its owner configured otherwise.
const standingGrant = Effect.fnUntraced(function* (accountId: string | undefined, clientId: string | undefined) {
  const application = yield* applicationOf(clientId)
  const stands = application !== undefined && (application.confidential || application.skipsConsent)
  return stands ? (yield* consentOf(accountId, clientId))?.id : undefined
})

/** Creates the OpenID Connect provider with the library `oidc-provider`. `rootUrl` is the public URL of the service. */
export const makeProvider = (run: Run, rootUrl: string, keys: Parameters<typeof configuration>[2]): OidcProvider => {
  const provider = new Provider(rootUrl, configuration(run, rootUrl, keys))
  // Our own headers tell the provider how the service was reached.
  provider.proxy = true
  // BOUNDARY: the library's models can be changed only by their prototypes, which its types don't know.
  const { AccessToken, Client } = provider as unknown as Models
  const { generateTokenId } = AccessToken.prototype
  AccessToken.prototype.generateTokenId = function () {
    // It records the format as well.
    generateTokenId.call(this)
    return tokenText(Array.from({ length: 40 }, () => codeAlphabet.charAt(randomInt(codeAlphabet.length))).join(""))
  }
  Client.prototype.redirectUriAllowed = function (uri) {
    if (this.redirectUris.includes(uri)) return true
    return (
      this.tokenEndpointAuthMethod === "none" &&
      loopback.test(uri) &&
      this.redirectUris.some((each) => loopback.test(each) && withoutPort(each) === withoutPort(uri))
    )
  }
  Client.prototype.compareClientSecret = function (secret) {
    return run(ClientSecrets.isSecretOf({ clientId: this.clientId, secret: Redacted.make(secret) }))
  }
  return provider
}
