import type { SignedDelivery } from "@slipway/deploy/apps"
import { roleRules, rules } from "@slipway/domain/deploy/access"
import { type Action, type Authorized, rowOf } from "@slipway/domain/deploy/entry"
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { BadRequestBody, guardErrors, signatureErrors } from "./errors.ts"

/** The annotation of an endpoint with its action, which the guard (access check) reads. */
export class EndpointAction extends Context.Service<EndpointAction, Action>()("@slipway/http/deploy/EndpointAction") {}

/** The annotation of an endpoint with an optional body; a missing body is treated as an empty object. */
export class OptionalBody extends Context.Service<OptionalBody, boolean>()("@slipway/http/deploy/OptionalBody") {}

/** Declares that the body of an endpoint is optional, for the server and in OpenAPI. */
export const optionalBody = <E extends HttpApiEndpoint.Constraint>(endpoint: E): E =>
  (endpoint as unknown as HttpApiEndpoint.Top)
    .annotate(OptionalBody, true)
    .annotate(OpenApi.Transform, (operation) => ({
      ...operation,
      requestBody: { ...(operation.requestBody as object), required: false }
    })) as unknown as E

declare const granted: unique symbol

/** A type-level key for the proof (the typed result of a successful authorization) of action `A`. */
export interface Granted<A extends Action> {
  readonly [granted]: A
}

/**
 * The service by which a handler receives the guard's proof, the result of the authorization.
 *
 * At run time there is one key for all actions; only the types distinguish them.
 */
export class GrantedProof extends Context.Service<GrantedProof, Authorized<Action>>()(
  "@slipway/http/deploy/GrantedProof"
) {}

// In lower case, as OpenAPI tools compare it; requests may write the scheme in any case.
const bearerToken = HttpApiSecurity.http({ scheme: "bearer" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "A token from `POST /api/v1/tokens` or the first start: `<number>|<secret>`."
  )
)

/** The middleware that authorizes a bearer token for the endpoint's action, before the body is read. */
export class Guard extends HttpApiMiddleware.Service<Guard, { provides: GrantedProof }>()(
  "@slipway/http/deploy/Guard",
  {
    error: guardErrors,
    security: { bearerAuth: bearerToken }
  }
) {}

/** The type of the guard of an endpoint with action `A`: it provides the proof of this action. */
export type GuardOf<A extends Action> = {
  readonly [Key in keyof HttpApiMiddleware.AnyId]: {
    readonly provides: Granted<A>
    readonly requires: never
    readonly error: typeof guardErrors
    readonly clientError: never
    readonly requiredForClient: false
  }
}

/**
 * The middleware that parses path, query and body, and reports all invalid fields together.
 *
 * A missing resource is reported before invalid fields (decision "Errors").
 */
export class Inputs extends HttpApiMiddleware.Service<Inputs>()("@slipway/http/deploy/Inputs", {
  error: [BadRequestBody]
}) {}

const strictly = { errors: "all", onExcessProperty: "error" } as const

const described = (action: Action) => {
  const { on, role, rule } = rowOf(action)
  return { action, on, rule, because: rules[rule].because, role, role_because: roleRules[role].because }
}

/**
 * Declares the action of an endpoint, so that the guard authorizes it by the access tables of the domain.
 *
 * The handler receives the proof of the authorization.
 */
export const access =
  <const A extends Action>(action: A) =>
  <E extends HttpApiEndpoint.Constraint>(
    endpoint: E
  ): HttpApiEndpoint.AddMiddleware<HttpApiEndpoint.AddMiddleware<E, Inputs>, GuardOf<A>> =>
    // The guard is one implementation with as many types as there are actions.
    (endpoint as unknown as HttpApiEndpoint.Top)
      .annotate(EndpointAction, action)
      .annotate(HttpApi.PayloadParseOptions, strictly)
      .annotate(HttpApi.QueryParseOptions, { errors: "all" })
      .annotate(OpenApi.Override, {
        "x-access": described(action)
      })
      .middleware(Inputs)
      .middleware(Guard) as never

/** The annotation of an endpoint with the resource type that has the secret for the request's signature. */
export class EndpointSignature extends Context.Service<EndpointSignature, "application">()(
  "@slipway/http/deploy/EndpointSignature"
) {}

/** The service by which a handler receives the proof that the signature is valid. */
export class SignatureProof extends Context.Service<SignatureProof, SignedDelivery>()(
  "@slipway/http/deploy/SignatureProof"
) {}

/** The middleware that verifies the body's signature with the secret of the application in the path, before parsing. */
export class SignatureGuard extends HttpApiMiddleware.Service<SignatureGuard, { provides: SignatureProof }>()(
  "@slipway/http/deploy/SignatureGuard",
  { error: signatureErrors }
) {}

/** Declares that an endpoint is authenticated by the signature of its body instead of a token. */
export const signedEndpoint = <E extends HttpApiEndpoint.Constraint>(
  endpoint: E
): HttpApiEndpoint.AddMiddleware<E, SignatureGuard> =>
  (endpoint as unknown as HttpApiEndpoint.Top)
    .annotate(EndpointSignature, "application")
    .annotate(OpenApi.Override, {
      security: [],
      requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
      "x-access": { signature: "application", because: "any sender that knows the application's secret" }
    })
    .middleware(SignatureGuard) as never
