import { type Action, type Authorized, actions, rules } from "@slipway/domain/deploy"
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { BadRequestBody, guardErrors } from "./errors.ts"

/** The action of an endpoint, as the guard reads it. */
export class EndpointAction extends Context.Service<EndpointAction, Action>()("@slipway/http/deploy/EndpointAction") {}

declare const granted: unique symbol

/** Names, in types, the proof that the guard of an endpoint provides. */
export interface Granted<A extends Action> {
  readonly [granted]: A
}

/** The guard's proof, as it is handed over: one key, told apart by types alone. */
export class GrantedProof extends Context.Service<GrantedProof, Authorized<Action>>()(
  "@slipway/http/deploy/GrantedProof"
) {}

// In lower case, as programs that read OpenAPI compare it; requests may write the scheme in any case.
const bearerToken = HttpApiSecurity.http({ scheme: "bearer" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "A token as `POST /api/v1/tokens` or the first start gave it: `<number>|<secret>`."
  )
)

/** Checks a bearer token against the action of its endpoint, before anything of the body is read. */
export class Guard extends HttpApiMiddleware.Service<Guard, { provides: GrantedProof }>()(
  "@slipway/http/deploy/Guard",
  {
    error: guardErrors,
    security: { bearerAuth: bearerToken }
  }
) {}

/** The guard of an endpoint whose action is `A`, for the compiler. */
export type GuardOf<A extends Action> = {
  readonly [Key in keyof HttpApiMiddleware.AnyId]: {
    readonly provides: Granted<A>
    readonly requires: never
    readonly error: typeof guardErrors
    readonly clientError: never
    readonly requiredForClient: false
  }
}

/** Reads what a request sends, and says all that is wrong with it at once; what isn't there is said before (decision "Errors"). */
export class Inputs extends HttpApiMiddleware.Service<Inputs>()("@slipway/http/deploy/Inputs", {
  error: [BadRequestBody]
}) {}

const strictly = { errors: "all", onExcessProperty: "error" } as const

/** Declares what an endpoint does; who may is looked up in the domain's tables, and a handler gets the proof. */
export const access =
  <const A extends Action>(action: A) =>
  <E extends HttpApiEndpoint.Constraint>(
    endpoint: E
  ): HttpApiEndpoint.AddMiddleware<HttpApiEndpoint.AddMiddleware<E, Inputs>, GuardOf<A>> =>
    // The guard is one implementation behind as many types as there are actions.
    (endpoint as unknown as HttpApiEndpoint.Top)
      .annotate(EndpointAction, action)
      .annotate(HttpApi.PayloadParseOptions, strictly)
      .annotate(HttpApi.QueryParseOptions, { errors: "all" })
      .annotate(OpenApi.Override, {
        "x-access": { action, rule: actions[action], because: rules[actions[action]].because }
      })
      .middleware(Inputs)
      .middleware(Guard) as never
