import { problemsOf } from "@slipway/domain"
import { type Action, type Authorized, authorize, type TokenStore, Tokens } from "@slipway/domain/deploy"
import { Context, Effect, Layer } from "effect"
import type { Digest } from "effect/crypto"
import { HttpApiMiddleware } from "effect/http-api"
import {
  EndpointAction,
  type Granted,
  GrantedProof,
  Guard,
  type GuardOf,
  SchemaErrors
} from "../../api/deploy/access.ts"
import { isMalformedJson } from "../malformed.ts"
import { invalid, onTheWire } from "./errors.ts"

/** Returns the proof that the guard of this endpoint provided; another endpoint's doesn't compile. */
export const granted = <A extends Action>(action: A): Effect.Effect<Authorized<A>, never, Granted<A>> =>
  Effect.flatMap(GrantedProof, (proof) =>
    proof.action === action
      ? Effect.succeed(proof as Authorized<A>)
      : Effect.die(new Error(`the endpoint was granted ${proof.action}, its handler wants ${action}`))
  ) as unknown as Effect.Effect<Authorized<A>, never, Granted<A>>

const makeGuard = Effect.gen(function* () {
  const services = yield* Effect.context<TokenStore | Digest.Digest>()
  return Guard.of({
    bearerAuth: (httpEffect, { credential, endpoint, group }) => {
      const action = Context.getOrUndefined(endpoint.annotations, EndpointAction)
      // Invariant I1: what isn't declared doesn't start.
      if (action === undefined) throw new Error(`${group.identifier}.${endpoint.identifier} declares no action`)
      return Tokens.authenticate(credential).pipe(
        Effect.flatMap((caller) => authorize(caller, action)),
        Effect.provideContext(services),
        onTheWire,
        Effect.flatMap((proof) => Effect.provideService(httpEffect, GrantedProof, proof))
      )
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

/** Answers a request that a schema refuses with everything that is wrong with it. */
export const layerSchemaErrors = HttpApiMiddleware.layerSchemaErrorTransform(SchemaErrors, (error) => {
  const { issue } = error.cause
  switch (error.kind) {
    case "Body":
    case "ResponseHeaders":
      return Effect.die(error)
    case "Payload":
      return Effect.fail(
        isMalformedJson(issue) ? invalid({ body: ["The body is not valid JSON."] }) : invalid(problemsOf(issue))
      )
    default:
      return Effect.fail(invalid(problemsOf(issue, error.kind.toLowerCase())))
  }
})
