import type { Answer } from "@slipway/access"
import { forShares } from "@slipway/domain"
import { actions, entryAnswers } from "@slipway/domain/forge/access"
import { ArtifactLinks } from "@slipway/domain/forge/automation"
import { type LoadedAction, targetIn, targetParameters } from "@slipway/domain/forge/entry"
import type { Actor, SignInSlowed } from "@slipway/domain/forge/identity"
import { sharesOf } from "@slipway/domain/forge/identity"
import { Entry, OwnThings } from "@slipway/forge/entry"
import { Context, Effect } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { smallBody } from "../../../api/bodySizes.ts"
import { guardRoute } from "../../guard.ts"
import { answerTo, wrongBody } from "../base/errors.ts"
import { answerWithPublicUrl, PublicUrl, referenceUrl } from "../base/PublicUrl.ts"
import { redirect } from "../base/redirect.ts"
import { entryRequest, queryIn, signedRequest } from "./guard.ts"

const slowedWith =
  ({ message, status }: Answer) =>
  ({ seconds }: SignInSlowed) =>
    Effect.map(PublicUrl, (served) => {
      const body = { message, url: referenceUrl(served) }
      return HttpServerResponse.jsonUnsafe(body, { status, headers: { "retry-after": String(seconds) } })
    })

/** Returns the response to a rate-limited sign-in, with `Retry-After` in seconds. */
export const rateLimited = slowedWith(entryAnswers.slowed)

/** Returns the response to a rate-limited password reset, with `Retry-After` in seconds. */
export const resetSlowed = slowedWith(entryAnswers.resetSlowed)

/** Returns the response to a rate-limited sign-up, with `Retry-After` in seconds. */
export const signUpSlowed = slowedWith(entryAnswers.signUpSlowed)

/** The optional inputs of an authorization, in addition to the request's headers. */
export interface Admission {
  /** The actor authenticated before the body arrived; its account is read again, without checking credentials. */
  readonly before?: Actor | undefined
  /** The body, if it was read. */
  readonly body?: Uint8Array | undefined
}

type Reached = HttpServerRequest.HttpServerRequest | PublicUrl

/** Returns the request data that authentication needs. */
const entering = (services: Context.Context<Reached>, body: Uint8Array | undefined): Entry.EntryRequest => {
  const sent = Context.get(services, HttpServerRequest.HttpServerRequest)
  const served = Context.get(services, PublicUrl)
  const signed = signedRequest(sent, served, body)
  const request = entryRequest(sent, served)
  return signed === undefined ? request : { ...request, signed }
}

/**
 * Authenticates the caller of a request and authorizes the action.
 *
 * Returns the proof of the authorization, or the response for a renamed resource (redirect) or a rate limit.
 */
export const authorizeRequest = <A extends LoadedAction>(action: A, { before, body }: Admission = {}) => {
  const { on } = actions[action]
  const exempt = { changesPassword: Entry.isPasswordChange(action), forVisitors: Entry.isForVisitors(action) }
  const isExempt = exempt.changesPassword || exempt.forVisitors
  return Effect.contextWith((services: Context.Context<Reached | HttpRouter.RouteContext>) => {
    const request = entering(services, body)
    const asked = isExempt ? { ...request, ...exempt } : request
    const named = targetIn(on, Context.get(services, HttpRouter.RouteContext).params)
    const decided = (target: typeof named) =>
      Effect.flatMap(
        before === undefined ? Entry.enter(asked, target) : Entry.enterAgain(before, asked, target),
        (entered) => Entry.authorizeAndAudit(action, entered as never)
      )
    if (named.kind !== "signedLink") return decided(named)
    const { url } = Context.get(services, HttpServerRequest.HttpServerRequest)
    const opening = ArtifactLinks.openLink("download", queryIn(url).get("sig"))
    return Effect.flatMap(opening, (opens) => decided({ ...named, opens }))
  }).pipe(
    Effect.catchTags({
      SignInSlowed: rateLimited,
      Renamed: ({ to }) => {
        const parts = targetParameters(on)
        return redirect((parameter) => to[Object.keys(parts).find((part) => parts[part] === parameter) ?? ""])
      }
    })
  )
}

const { WrongInput: _, ...unreadBody } = wrongBody

/** The HTTP methods for which the request body is read. */
const withBodies: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"])

/**
 * Runs the handler of a custom route if the caller is allowed to perform a custom action on the named resource.
 *
 * Otherwise returns the error response.
 *
 * Use it for routes that an embedding program adds. The maximum body size is that of the API's endpoints. Permissions
 * are checked after the body has arrived.
 */
export const guardedTo = <R>(
  action: string,
  name: string,
  handle: (
    proof: OwnThings.CustomProof,
    body: Uint8Array | undefined
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
) =>
  Effect.gen(function* () {
    const { method } = yield* HttpServerRequest.HttpServerRequest
    const admit = Effect.fnUntraced(
      function* (before: OwnThings.CustomProof | undefined, body: Uint8Array | undefined) {
        const request = entering(yield* Effect.context<Reached>(), body)
        const about = { kind: "site" } as const
        const entered = yield* before === undefined
          ? Entry.enter(request, about)
          : Entry.enterAgain(before.resource.actor, request, about)
        return yield* OwnThings.authorize(action, entered, name)
      },
      Effect.catchTag("SignInSlowed", rateLimited),
      Effect.catch(answerTo)
    )
    const largest = Number((yield* HttpIncomingMessage.MaxBodySize) ?? smallBody)
    const shared = (proof: OwnThings.CustomProof, body: Uint8Array | undefined) =>
      forShares(sharesOf(proof.resource))(handle(proof, body))
    return yield* guardRoute({ takesBody: withBodies.has(method), largest, admit, handle: shared }).pipe(
      Effect.catchTags(unreadBody)
    )
  }).pipe(answerWithPublicUrl)
