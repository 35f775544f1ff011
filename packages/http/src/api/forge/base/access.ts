import { type Action, type ActionName, actions, PolicySet, type Rulebook } from "@slipway/domain/forge/access"
import type { LoadedAction } from "@slipway/domain/forge/entry"
import { Context } from "effect"

/** The action of an endpoint, as the guard reads it. */
export class EndpointAction extends Context.Service<EndpointAction, LoadedAction>()(
  "@slipway/http/forge/EndpointAction"
) {}

/** Returns the route of an endpoint as the catalogue spells it. */
export const routeOf = (endpoint: { readonly method: string; readonly path: string }): string =>
  `${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")}`

const routesOf = (action: ActionName): ReadonlyArray<string> => (actions[action] as Action).routes

/** Returns the route of the catalogue that an endpoint serves for an action; a route of any method covers them all. */
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
 * Returns the access rules of an action in the format of the OpenAPI document, from the built-in rules or another
 * rulebook.
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
