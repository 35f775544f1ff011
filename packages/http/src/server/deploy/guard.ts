import { type Action, type Authorized, authorize, type TokenStore, Tokens } from "@slipway/domain/deploy"
import { Context, Effect, Layer } from "effect"
import type { Digest } from "effect/crypto"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import {
  EndpointAction,
  EndpointSignature,
  type Granted,
  GrantedProof,
  Guard,
  type GuardOf,
  SignatureGuard
} from "../../api/deploy/access.ts"
import { alreadyRead } from "../bodies.ts"
import { declaredLength } from "../readBody.ts"
import { toHttpErrors } from "./errors.ts"
import { reading } from "./reading.ts"

/** Returns the proof that the guard of this endpoint provided; another endpoint's doesn't compile. */
export const granted = <A extends Action>(action: A): Effect.Effect<Authorized<A>, never, Granted<A>> =>
  Effect.flatMap(GrantedProof, (proof) =>
    proof.action === action
      ? Effect.succeed(proof as Authorized<A>)
      : Effect.die(new Error(`the endpoint was granted ${proof.action}, its handler wants ${action}`))
  ) as unknown as Effect.Effect<Authorized<A>, never, Granted<A>>

// What most bodies stay below: they are read before rights are decided, which are those of then.
const smallBody = 64 * 1024

const makeGuard = Effect.gen(function* () {
  const services = yield* Effect.context<TokenStore | Digest.Digest>()
  return Guard.of({
    bearerAuth: (httpEffect, { credential, endpoint }) => {
      const action = Context.getUnsafe(endpoint.annotations, EndpointAction)
      const takesBody = endpoint.payload.size > 0
      const allowed = Tokens.authenticate(credential).pipe(
        Effect.flatMap((caller) => authorize(caller, action)),
        Effect.provideContext(services),
        toHttpErrors
      )
      const handled = (proof: Authorized<Action>) => Effect.provideService(httpEffect, GrantedProof, proof)
      const withRead = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const largest = Number((yield* HttpIncomingMessage.MaxBodySize) ?? smallBody)
        // Nobody makes the service read much before it is known who they are.
        if ((declaredLength(request) ?? largest) > smallBody) yield* allowed
        const decided = (bytes: Uint8Array) =>
          Effect.flatMap(allowed, handled).pipe(
            Effect.provideService(HttpServerRequest.HttpServerRequest, alreadyRead(request, bytes))
          )
        return yield* reading(request, largest, decided)
      })
      return takesBody ? withRead : Effect.flatMap(allowed, handled)
    }
  })
})

type EveryGuard = { readonly [A in Action]: GuardOf<A> }[Action]

/** The one guard behind every endpoint. */
export const layerGuard = Layer.effect(Guard, makeGuard) as unknown as Layer.Layer<
  Guard | EveryGuard,
  never,
  TokenStore | Digest.Digest
>

/**
 * Lets an API start only when each of its endpoints declares an action, or a signature, and has the guard that asks for it
 * (invariant I1).
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
          const signature = Context.getOrUndefined(endpoint.annotations, EndpointSignature)
          if (action === undefined && signature === undefined) throw new Error(`${name} declares no action`)
          if (action !== undefined && signature !== undefined) throw new Error(`${name} declares two guards`)
          const { key: needed } = signature === undefined ? Guard : SignatureGuard
          if (![...middleware].some(({ key }) => key === needed)) throw new Error(`${name} has no guard`)
        }
      })
    })
  )
