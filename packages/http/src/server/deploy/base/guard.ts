import { authorizeNamed, type PathResourceStores } from "@slipway/deploy/entry"
import { authenticate } from "@slipway/deploy/identity"
import type { Action, Authorized } from "@slipway/domain/deploy/entry"
import type { SessionStore, TokenStore } from "@slipway/domain/deploy/identity"
import { Context, Effect, Layer } from "effect"
import type { Digest } from "effect/crypto"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { smallBody } from "../../../api/bodySizes.ts"
import {
  EndpointAction,
  EndpointSignature,
  type Granted,
  GrantedProof,
  Guard,
  type GuardOf,
  SignatureGuard
} from "../../../api/deploy/base/access.ts"
import { everyEndpoint, guardRoute } from "../../guard.ts"
import { provideServices } from "../../serverContext.ts"
import { alreadyRead } from "../../wire/bodies.ts"
import { toHttpErrors } from "./errors.ts"
import { answerUnread } from "./unreadBody.ts"

/**
 * Returns the proof of `action` from the endpoint's guard; the compiler rejects any other action than the endpoint's.
 */
export const granted = <A extends Action>(action: A): Effect.Effect<Authorized<A>, never, Granted<A>> =>
  Effect.flatMap(GrantedProof, (proof) =>
    proof.action === action
      ? Effect.succeed(proof as Authorized<A>)
      : Effect.die(new Error(`the endpoint was authorized for ${proof.action}, its handler needs ${action}`))
  ) as unknown as Effect.Effect<Authorized<A>, never, Granted<A>>

type Needs = SessionStore | TokenStore | PathResourceStores | Digest.Digest

const makeGuard = Effect.gen(function* () {
  const provide = provideServices(yield* Effect.context<Needs>())
  return Guard.of({
    bearerAuth: (httpEffect, { credential, endpoint }) => {
      const action = Context.getUnsafe(endpoint.annotations, EndpointAction)
      const admit = () =>
        Effect.gen(function* () {
          const { params } = yield* HttpRouter.RouteContext
          return yield* Effect.flatMap(authenticate(credential), (caller) =>
            authorizeNamed(caller, action, params)
          ).pipe(provide, toHttpErrors)
        })
      const handle = (proof: Authorized<Action>, bytes: Uint8Array | undefined) => {
        const granted = Effect.provideService(httpEffect, GrantedProof, proof)
        return Effect.exit(
          bytes === undefined
            ? granted
            : Effect.updateService(granted, HttpServerRequest.HttpServerRequest, (request) =>
                alreadyRead(request, bytes)
              )
        )
      }
      return Effect.gen(function* () {
        const largest = Number((yield* HttpIncomingMessage.MaxBodySize) ?? smallBody)
        return yield* answerUnread(guardRoute({ takesBody: endpoint.payload.size > 0, largest, admit, handle }))
        // BOUNDARY: every endpoint with a resource in its path declares 404, as a test checks.
      }) as never
    }
  })
})

type EveryGuard = { readonly [A in Action]: GuardOf<A> }[Action]

/** The guard that authorizes the requests of all endpoints of the deployment platform. */
export const layerGuard = Layer.effect(Guard, makeGuard) as unknown as Layer.Layer<Guard | EveryGuard, never, Needs>

/**
 * Layer that fails at startup unless each endpoint of an API declares an action or a signature, and has the matching
 * guard (invariant I1).
 */
export const layerEveryEndpointGuarded = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never> =>
  Layer.effectDiscard(
    Effect.sync(() =>
      everyEndpoint(api, ({ endpoint, middleware, name }) => {
        const action = Context.getOrUndefined(endpoint.annotations, EndpointAction)
        const signature = Context.getOrUndefined(endpoint.annotations, EndpointSignature)
        if (action === undefined && signature === undefined) throw new Error(`${name} declares no action`)
        if (action !== undefined && signature !== undefined) throw new Error(`${name} declares two guards`)
        const { key: needed } = signature === undefined ? Guard : SignatureGuard
        if (!middleware.includes(needed)) throw new Error(`${name} has no guard`)
      })
    )
  )
