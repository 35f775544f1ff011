import type { SignedDelivery } from "@slipway/deploy/apps"
import { roleRules, rules } from "@slipway/domain/deploy/access"
import { type Action, type Authorized, rowOf } from "@slipway/domain/deploy/entry"
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { BadRequestBody, guardErrors, signatureErrors } from "./errors.ts"

/** The action of an endpoint, as the guard reads it. */
export class EndpointAction extends Context.Service<EndpointAction, Action>()("@slipway/http/deploy/EndpointAction") {}

/** Marks the body of an endpoint as optional; a missing one is an empty object. */
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

/** Names, in types, the proof that the guard of an endpoint provides. */
export interface Granted<A extends Action> {
  readonly [granted]: A
}

/** The service that passes the guard's proof to a handler: one key for all actions, distinguished only by types. */
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

/** Checks a bearer token against the action of its endpoint, before any of the body is read. */
export class Guard extends HttpApiMiddleware.Service<Guard, { provides: GrantedProof }>()(
  "@slipway/http/deploy/Guard",
  {
    error: guardErrors,
    security: { bearerAuth: bearerToken }
  }
) {}

/** The guard of an endpoint with action `A`, for the compiler. */
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
 * Reads the input of a request and reports all errors together; a missing resource is reported first (decision
 * "Errors").
 */
export class Inputs extends HttpApiMiddleware.Service<Inputs>()("@slipway/http/deploy/Inputs", {
  error: [BadRequestBody]
}) {}

const strictly = { errors: "all", onExcessProperty: "error" } as const

const described = (action: Action) => {
  const { on, role, rule } = rowOf(action)
  return { action, on, rule, because: rules[rule].because, role, role_because: roleRules[role].because }
}

/** Declares the action of an endpoint; its permissions are in the domain's tables, and a handler gets the proof. */
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

/** The resource type with the secret that signs an endpoint's requests; the signature guard reads it. */
export class EndpointSignature extends Context.Service<EndpointSignature, "application">()(
  "@slipway/http/deploy/EndpointSignature"
) {}

/** The proof of a signature, as the guard hands it over. */
export class SignatureProof extends Context.Service<SignatureProof, SignedDelivery>()(
  "@slipway/http/deploy/SignatureProof"
) {}

/** Checks the signature of a body against the secret of the application in the path, before any of it is parsed. */
export class SignatureGuard extends HttpApiMiddleware.Service<SignatureGuard, { provides: SignatureProof }>()(
  "@slipway/http/deploy/SignatureGuard",
  { error: signatureErrors }
) {}

/**
 * Declares that an endpoint needs no token: the signature of its body is the credential, and a handler gets the proof.
 */
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
