import {
  actions,
  Entry,
  entryAnswers,
  type LoadedAction,
  type LoadedKind,
  type Proof,
  type SignInSlowed,
  type Target
} from "@slipway/domain/forge"
import { Context, Effect, Layer, Option, Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { NetAddress } from "effect/net"
import { catalogued, EndpointAction, type Granted, GrantedProof, Guard, type GuardOf } from "../../api/forge/access.ts"
import { toHttpErrors } from "./errors.ts"
import { PublicUrl, type PublicUrlSettings, referenceUrl } from "./PublicUrl.ts"
import { redirect } from "./redirect.ts"

/** Returns the proof that the guard of this endpoint provided; another endpoint's doesn't compile. */
export const granted = <A extends LoadedAction>(action: A): Effect.Effect<Proof<A>, never, Granted<A>> =>
  Effect.flatMap(GrantedProof, (proof) =>
    proof.action === action
      ? Effect.succeed(proof as Proof<A>)
      : Effect.die(new Error(`the endpoint was granted ${proof.action}, its handler wants ${action}`))
  ) as unknown as Effect.Effect<Proof<A>, never, Granted<A>>

type Params = Readonly<Record<string, string | undefined>>

/** Returns the number that a part of a path is; one that nothing has, when it is none. */
export const numberIn = (text: string | undefined): number => (/^[1-9]\d{0,15}$/.test(text ?? "") ? Number(text) : 0)

/** What a path names, for each kind of thing. */
const targets: { readonly [K in LoadedKind]: (params: Params) => Target<K> } = {
  site: () => ({ kind: "site" }),
  user: ({ username = "" }) => ({ kind: "user", name: username }),
  organization: ({ org = "" }) => ({ kind: "organization", organization: org }),
  organizationUser: ({ org = "", username = "" }) => ({ kind: "organizationUser", organization: org, name: username }),
  team: ({ id }) => ({ kind: "team", id: numberIn(id) }),
  teamRepository: ({ id, org = "", repo = "" }) => ({
    kind: "teamRepository",
    id: numberIn(id),
    owner: org,
    repository: repo
  }),
  // A number of something else may stand below the name of a repository.
  repository: ({ id, reponame, username }) =>
    username === undefined || reponame === undefined
      ? { kind: "repository", id: numberIn(id) }
      : { kind: "repository", owner: username, repository: reponame },
  packageOwner: ({ username = "" }) => ({ kind: "packageOwner", owner: username })
}

/** The parameter of the path that each part of a target is taken from. */
const parameters: { readonly [K in LoadedKind]: Readonly<Record<string, string>> } = {
  site: {},
  user: { name: "username" },
  organization: { organization: "org" },
  organizationUser: { organization: "org", name: "username" },
  team: {},
  teamRepository: { owner: "org", repository: "repo" },
  repository: { owner: "username", repository: "reponame" },
  packageOwner: { owner: "username" }
}

const unknownAddress = NetAddress.ipFromStringUnsafe("0.0.0.0")

const addressOf = (request: HttpServerRequest.HttpServerRequest): NetAddress.IpAddress =>
  Option.match(request.remoteAddress, {
    onNone: () => unknownAddress,
    onSome: (text) => Result.getOrElse(NetAddress.ipFromString(text), () => unknownAddress)
  })

/** Returns what a request says about who is asking. */
export const entryRequest = (
  request: HttpServerRequest.HttpServerRequest,
  { proxyUserHeader }: PublicUrlSettings
): Entry.EntryRequest => {
  const { headers, url } = request
  const query = new URLSearchParams(url.split("?")[1] ?? "")
  return {
    authorization: headers.authorization,
    token: query.get("token") ?? undefined,
    accessToken: query.get("access_token") ?? undefined,
    oneTimeCode: headers["x-svc-otp"] ?? headers["x-gitea-otp"],
    proxyUser: headers[proxyUserHeader],
    forwardedFor: headers["x-forwarded-for"],
    address: addressOf(request),
    sudo: query.get("sudo") || headers.sudo || undefined
  }
}

/** Answers a sign-in that has to wait, with how long. */
const slowed = ({ seconds }: SignInSlowed) =>
  Effect.map(PublicUrl, (publicUrl) => {
    const { message, status } = entryAnswers.slowed
    const body = { message, url: referenceUrl(publicUrl) }
    return HttpServerResponse.jsonUnsafe(body, { status, headers: { "retry-after": String(seconds) } })
  })

const makeGuard = Effect.gen(function* () {
  const services = yield* Effect.context<EntryServices | PublicUrl>()
  const publicUrl = Context.get(services, PublicUrl)
  return Guard.of((httpEffect, { endpoint, group }) => {
    const action = Context.getOrUndefined(endpoint.annotations, EndpointAction)
    // Invariant I1: what isn't declared doesn't start.
    if (action === undefined) throw new Error(`${group.identifier}.${endpoint.identifier} declares no action`)
    const targetOf = targets[actions[action].on]
    const parts = parameters[actions[action].on]
    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { params } = yield* HttpRouter.RouteContext
      const entered = yield* Entry.enter(entryRequest(request, publicUrl), targetOf(params))
      return yield* Entry.authorizeAndAudit(action, entered as never)
    }).pipe(
      Effect.catchTag("SignInSlowed", slowed),
      Effect.catchTag("Renamed", ({ to }) =>
        redirect((parameter) => to[Object.keys(parts).find((part) => parts[part] === parameter) ?? ""])
      ),
      Effect.provideContext(services),
      toHttpErrors,
      Effect.provideContext(services),
      Effect.flatMap((proof) =>
        HttpServerResponse.isHttpServerResponse(proof)
          ? Effect.succeed(proof)
          : Effect.provideService(httpEffect, GrantedProof, proof)
      )
    )
  })
})

type EveryGuard = { readonly [A in LoadedAction]: GuardOf<A> }[LoadedAction]
type EntryServices =
  | Effect.Services<ReturnType<typeof Entry.enter>>
  | Effect.Services<ReturnType<typeof Entry.authorizeAndAudit>>

/** The one guard behind every endpoint. */
export const layerGuard = Layer.effect(Guard, makeGuard) as unknown as Layer.Layer<
  Guard | EveryGuard,
  never,
  EntryServices | PublicUrl
>

const prefix = /^\/api\/v1(?=\/)/

/**
 * Lets an API start only when each of its endpoints declares an action, stands on a route of it, and has the guard that
 * asks for it (invariant I1).
 *
 * The guard alone can't tell: it never hears of an endpoint that forgot it.
 */
export const layerEveryEndpointGuarded = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never> =>
  Layer.effectDiscard(
    Effect.sync(() => {
      HttpApi.reflect(api, {
        onGroup() {},
        onEndpoint({ endpoint, group, middleware }) {
          const name = `${group.identifier}.${endpoint.identifier}`
          const action = Context.getOrUndefined(endpoint.annotations, EndpointAction)
          if (action === undefined) throw new Error(`${name} declares no action`)
          catalogued(action, { method: endpoint.method, path: endpoint.path.replace(prefix, "") })
          if (![...middleware].some(({ key }) => key === Guard.key)) throw new Error(`${name} has no guard`)
        }
      })
    })
  )
