import { type Action, type ActionName, actions, PolicySet, type Rulebook } from "@slipway/domain/forge/access"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import { Context } from "effect"

/** The annotation of an endpoint with its action, which the guard (access check) reads. */
export class EndpointAction extends Context.Service<EndpointAction, LoadedAction>()(
  "@slipway/http/forge/EndpointAction"
) {}

/** Returns the route of an endpoint as the action catalogue spells it, such as `GET /repos/{owner}/{repo}`. */
export const routeOf = (endpoint: { readonly method: string; readonly path: string }): string =>
  `${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")}`

const routesOf = (action: ActionName): ReadonlyArray<string> => (actions[action] as Action).routes

/**
 * Returns the route in the action catalogue that an endpoint serves; an `ANY` route matches every method.
 *
 * Throws if the action has no such route.
 */
export const catalogueRoute = (
  action: ActionName,
  endpoint: { readonly method: string; readonly path: string }
): string => {
  const route = routeOf(endpoint)
  const found = routesOf(action).find((each) => each === route || each === route.replace(/^\w+/, "ANY"))
  // Invariant I1: the rules of a route are those of its row, so an endpoint must use a route of that row.
  if (found === undefined) throw new Error(`${route} is no route of \`${action}\``)
  return found
}

/**
 * Returns the access rules of an action for the OpenAPI document, from the given rulebook (by default the built-in
 * rules).
 */
export const describeAccess = (name: LoadedAction, rulebook: Rulebook = PolicySet.builtIn.rulebook) => {
  const { access, asks, guards, publicOnly, scope } = rulebook.actionOf(name)
  return {
    action: name,
    scope: scope.map((category) => `${access}:${category}`),
    guards: [...asks, ...guards],
    publicOnly,
    because: rulebook.policyOf(name).checks.map((check) => check.because)
  }
}
