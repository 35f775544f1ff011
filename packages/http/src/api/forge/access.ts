import { type Action, type ActionName, actions, type LoadedAction, type Proof, policyOf } from "@slipway/domain/forge"
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiMiddleware, OpenApi } from "effect/http-api"
import { guardErrors, inputErrors } from "./errors.ts"

/** The action of an endpoint, as the guard reads it. */
export class EndpointAction extends Context.Service<EndpointAction, LoadedAction>()(
  "@slipway/http/forge/EndpointAction"
) {}

declare const granted: unique symbol

/** Names, in types, the proof that the guard of an endpoint provides. */
export interface Granted<A extends LoadedAction> {
  readonly [granted]: A
}

/** The guard's proof, as it is handed over: one key, told apart by types alone. */
export class GrantedProof extends Context.Service<GrantedProof, Proof<LoadedAction>>()(
  "@slipway/http/forge/GrantedProof"
) {}

/** Takes every step before the body is read: who is asking, and whether they may. */
export class Guard extends HttpApiMiddleware.Service<Guard, { provides: GrantedProof }>()("@slipway/http/forge/Guard", {
  error: guardErrors
}) {}

/** The guard of an endpoint whose action is `A`, for the compiler. */
export type GuardOf<A extends LoadedAction> = {
  readonly [Key in keyof HttpApiMiddleware.AnyId]: {
    readonly provides: Granted<A>
    readonly requires: never
    readonly error: typeof guardErrors
    readonly clientError: never
    readonly requiredForClient: false
  }
}

/** Reads what a request sends, and says all that is wrong with it at once. */
export class Inputs extends HttpApiMiddleware.Service<Inputs>()("@slipway/http/forge/Inputs", {
  error: inputErrors
}) {}

/** Returns the route of an endpoint as the catalogue spells it. */
export const routeOf = (endpoint: { readonly method: string; readonly path: string }): string =>
  `${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")}`

const routesOf = (action: ActionName): ReadonlyArray<string> => (actions[action] as Action).routes

/** Returns the route of the catalogue that an endpoint serves for an action; a route of any method covers them all. */
export const catalogued = (
  action: ActionName,
  endpoint: { readonly method: string; readonly path: string }
): string => {
  const route = routeOf(endpoint)
  const found = routesOf(action).find((each) => each === route || each === route.replace(/^\w+/, "ANY"))
  // Invariant I1: the rules of a route are those of its row, so no endpoint may stand on another one.
  if (found === undefined) throw new Error(`${route} is no route of \`${action}\``)
  return found
}

/** Describes who may do an action, as the OpenAPI document shows it. */
export const described = (name: LoadedAction) => {
  const { access, asks, guards, publicOnly, scope } = actions[name] as Action
  return {
    action: name,
    scope: scope.map((category) => `${access}:${category}`),
    guards: [...asks, ...guards],
    publicOnly,
    because: policyOf(name).checks.map((check) => check.because)
  }
}

/**
 * Declares what an endpoint does; who may is looked up in the domain's tables, and a handler gets the proof.
 *
 * Throws when the endpoint's method and path are not a route of the action.
 */
export const access =
  <const A extends LoadedAction>(action: A) =>
  <E extends HttpApiEndpoint.Constraint>(
    endpoint: E
  ): HttpApiEndpoint.AddMiddleware<HttpApiEndpoint.AddMiddleware<E, Inputs>, GuardOf<A>> => {
    const top = endpoint as unknown as HttpApiEndpoint.Top
    catalogued(action, top)
    // The guard is one implementation behind as many types as there are actions.
    return top
      .annotate(EndpointAction, action)
      .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
      .annotate(HttpApi.QueryParseOptions, { errors: "all" })
      .annotate(OpenApi.Override, { "x-access": described(action) })
      .middleware(Inputs)
      .middleware(Guard) as never
  }
