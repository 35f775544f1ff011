import {
  OpenIdProvider,
  type PendingSignIn,
  type ProtocolAnswer,
  type ProtocolRequest,
  type SignInOutcome,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect, Layer, Schema } from "effect"
import type { DispatchFunc } from "light-my-request"
import type Provider from "oidc-provider"
import { readKeys } from "./keys.ts"
import { Page, pageHeader } from "./pages.ts"
import { applicationOf, consentOf, type RecordServices } from "./records.ts"

/** The services that the OpenID Connect provider needs. */
export type OpenIdServices = RecordServices

// The request headers passed on, other than host and cookies; headers of proxies are dropped.
const passedOn = [
  "accept",
  "access-control-request-headers",
  "access-control-request-method",
  "authorization",
  "content-type",
  "origin",
  "user-agent"
]

const mostAddresses = 8
const sessionCookie = "_session"
const readPage = Schema.decodeUnknownOption(Page)

const cookiesOf = (header: string | undefined): ReadonlyArray<readonly [name: string, value: string]> =>
  (header ?? "").split(/;\s*/).flatMap((pair) => {
    const at = pair.indexOf("=")
    return at < 1 ? [] : [[pair.slice(0, at), pair.slice(at + 1)] as const]
  })

const isOfSession = (name: string): boolean => name === sessionCookie || name === `${sessionCookie}.sig`

/**
 * Returns a request target with the scope `all` if an authorization request has no scope, because clients of this API
 * omit it.
 */
const withScope = (target: string): string => {
  const [path = "", query = ""] = target.split("?")
  const parameters = new URLSearchParams(query)
  if (path !== "/login/oauth/authorize" || !parameters.has("client_id") || parameters.get("scope")) return target
  parameters.set("scope", "all")
  return `${path}?${parameters}`
}

const withScopeInBody = ({ body, target }: ProtocolRequest): string => {
  if (target !== "/login/device/code") return body
  const parameters = new URLSearchParams(body)
  if (parameters.get("scope")) return body
  parameters.set("scope", "all")
  return parameters.toString()
}

// The library's own pages submit their forms by a script; without it, their button has to be visible.
const withoutScript = (html: string): string =>
  html.replace(/<script>[\s\S]*?<\/script>/g, "").replace(/<\/?noscript>/g, "")

type Handler = DispatchFunc

/**
 * The response to a request that has no valid `Host` header. It contains no links, because the URL of this service is
 * unknown.
 */
const unaddressed: ProtocolAnswer = {
  status: 400,
  headers: [
    ["content-type", "application/json"],
    ["cache-control", "no-store"]
  ],
  body: JSON.stringify({ error: "invalid_request", error_description: "the header Host must be an address" })
}

const send = (handler: Handler, request: ProtocolRequest, cookie: string) =>
  Effect.promise(async (): Promise<ProtocolAnswer> => {
    const { protocol, host } = new URL(request.rootUrl)
    const { default: inject } = await import("light-my-request")
    let failed: { readonly by: unknown } | undefined
    // A failure before the answer would keep the client waiting and end the process.
    const answering: Handler = (incoming, outgoing) => {
      Promise.resolve(handler(incoming, outgoing) as unknown).catch((by: unknown) => {
        failed = { by }
        outgoing.end()
      })
    }
    const response = await inject(answering, {
      method: request.method as "GET",
      url: withScope(request.target),
      headers: {
        host,
        "x-forwarded-host": host,
        "x-forwarded-proto": protocol.slice(0, -1),
        cookie,
        ...Object.fromEntries(
          passedOn.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]]))
        )
      },
      payload: withScopeInBody(request)
    })
    if (failed !== undefined) throw failed.by
    const { [pageHeader]: page, connection: _, date: _date, ...headers } = response.headers
    const shown = typeof page === "string" ? readPage(decodeURIComponent(page)) : undefined
    const isHtml = String(headers["content-type"] ?? "").startsWith("text/html")
    return {
      status: response.statusCode,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each) => [name, String(each)] as const)
      ),
      body: isHtml ? withoutScript(response.payload) : response.payload,
      page: shown?._tag === "Some" ? shown.value : undefined
    }
  })

/** Provides OAuth2 and OpenID Connect for client applications. The library is loaded at the first request. */
export const layerOpenIdProvider: Layer.Layer<never, never, OpenIdServices> = Layer.effect(
  OpenIdProvider,
  Effect.gen(function* () {
    const services = yield* Effect.context<OpenIdServices>()
    const run = Effect.runPromiseWith(services)
    const keys = yield* Effect.cachedWithTTL(Effect.provideContext(readKeys, services), "10 minutes")
    const providers = new Map<string, readonly [by: Effect.Success<typeof keys>, provider: Provider]>()

    const providerAt = Effect.fnUntraced(function* (rootUrl: string) {
      const present = yield* keys
      const [by, known] = providers.get(rootUrl) ?? []
      if (known !== undefined && by === present) return known
      const { cookies, signing } = present
      const { makeProvider } = yield* Effect.promise(() => import("./provider.ts"))
      const signed = { signed: true, httpOnly: true, sameSite: "lax" } as const
      const provider = makeProvider(run, rootUrl, {
        jwks: { keys: signing as never },
        cookies: {
          keys: [...cookies],
          long: signed,
          short: signed,
          names: { session: sessionCookie, interaction: "_interaction", resume: "_interaction_resume" }
        }
      })
      provider.on("server_error", (_, problem) => {
        run(Effect.logError("the OAuth2 protocol failed", problem))
      })
      const [oldest] = providers.keys()
      if (providers.size >= mostAddresses && oldest !== undefined) providers.delete(oldest)
      providers.set(rootUrl, [present, provider])
      return provider
    })

    /** Returns the cookies of a request without the session cookies of another user. */
    const cookieFor = Effect.fnUntraced(function* (provider: Provider, { headers, userId }: ProtocolRequest) {
      const cookies = cookiesOf(headers.cookie)
      const [, id] = cookies.find(([name]) => name === sessionCookie) ?? []
      const session = id === undefined ? undefined : yield* Effect.promise(() => provider.Session.find(id))
      const isOthers = session?.accountId !== undefined && session.accountId !== String(userId)
      return cookies
        .filter(([name]) => !(isOthers && isOfSession(name)))
        .map((pair) => pair.join("="))
        .join("; ")
    })

    const through = Effect.fnUntraced(function* (request: ProtocolRequest, handlerOf: (provider: Provider) => Handler) {
      if (!URL.canParse(request.rootUrl)) return unaddressed
      const provider = yield* providerAt(request.rootUrl)
      return yield* send(handlerOf(provider), request, yield* cookieFor(provider, request))
    })

    const pending = Effect.fnUntraced(function* (request: ProtocolRequest) {
      let found: Awaited<ReturnType<Provider["interactionDetails"]>> | undefined
      yield* through(request, (provider) => async (incoming, response) => {
        found = await provider.interactionDetails(incoming as never, response as never).catch(() => undefined)
        response.end()
      })
      if (found === undefined || !request.target.endsWith(`/${found.uid}`)) return undefined
      const { params, prompt, session, uid } = found
      const application = yield* applicationOf(String(params.client_id))
      if (application === undefined) return undefined
      const maker = yield* (yield* UserStore).find(application.userId)
      const accountId = session?.accountId
      const scopes = String(params.scope ?? "").split(" ")
      const consent = application.skipsConsent ? yield* consentOf(accountId, application.clientId) : undefined
      return {
        id: uid,
        asks: prompt.name === "login" ? "sign-in" : "consent",
        afresh: prompt.name === "login" && prompt.reasons.some((each) => each === "login_prompt" || each === "max_age"),
        application: { name: application.name, clientId: application.clientId, owner: maker?.name },
        redirectUri: String(params.redirect_uri ?? application.redirectUris[0] ?? ""),
        scopes,
        userId: accountId === undefined ? undefined : (Number(accountId) as PendingSignIn["userId"]),
        agreed: consent !== undefined && scopes.every((each) => consent.scopes.includes(each))
      } satisfies PendingSignIn
    })

    const agree = async (provider: Provider, details: Awaited<ReturnType<Provider["interactionDetails"]>>) => {
      const accountId = details.session?.accountId
      if (accountId === undefined) throw new Error("the user did not consent")
      const clientId = String(details.params.client_id)
      const id = details.grantId ?? (await run(consentOf(accountId, clientId)))?.id
      const known = id === undefined ? undefined : await provider.Grant.find(id)
      const grant = known ?? new provider.Grant({ accountId, clientId })
      grant.addOIDCScope(String(details.params.scope ?? ""))
      return { consent: { grantId: await grant.save() } }
    }

    const finish = (request: ProtocolRequest, outcome: SignInOutcome) =>
      through(request, (provider) => async (incoming, response) => {
        const [req, res] = [incoming as never, response as never]
        const result =
          outcome._tag === "SignedIn"
            ? { login: { accountId: String(outcome.userId), remember: false } }
            : outcome._tag === "Agreed"
              ? await agree(provider, await provider.interactionDetails(req, res))
              : { error: "access_denied", error_description: "The user did not consent" }
        await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: outcome._tag !== "Refused" })
      })

    return {
      answer: (request: ProtocolRequest) => through(request, (provider) => provider.callback() as never),
      pending: (request: ProtocolRequest) => Effect.provideContext(pending(request), services),
      finish
    }
  })
)
