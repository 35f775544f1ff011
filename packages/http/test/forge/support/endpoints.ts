import { type Action, actions } from "@slipway/domain/forge/access"
import type { LoadedAction, LoadedKind } from "@slipway/domain/forge/entry"
import { EndpointAction, ForgeApi } from "@slipway/http/api/forge"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"

/** An endpoint with the data that tests of all endpoints need. */
export interface Endpoint {
  readonly method: string
  /** The path below the prefix, with `{name}` for parameters. */
  readonly path: string
  readonly action: LoadedAction
  readonly row: Action
  readonly on: LoadedKind
  readonly hasBody: boolean
}

const found: Array<Endpoint> = []

HttpApi.reflect(ForgeApi, {
  onGroup() {},
  onEndpoint({ endpoint }) {
    const action = Context.getUnsafe(endpoint.annotations, EndpointAction)
    found.push({
      method: endpoint.method,
      path: endpoint.path.replace(/^\/api\/v1/, "").replace(/:(\w+)/g, "{$1}"),
      action,
      row: actions[action],
      on: actions[action].on,
      hasBody: endpoint.payload.size > 0
    })
  }
})

/** All endpoints of the API. */
export const endpoints: ReadonlyArray<Endpoint> = found

/** Returns the path of an endpoint with its parameters filled in. */
export const pathOf = (endpoint: Pick<Endpoint, "path">, parts: Readonly<Record<string, string>>): string =>
  endpoint.path
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? "nobody-there"))
    .replace("*", "anything")
