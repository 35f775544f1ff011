import type { Action } from "@slipway/domain/deploy"
import { DeployApi, EndpointAction } from "@slipway/http/api/deploy"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"

/** One endpoint as the API declares it. */
export interface Endpoint {
  readonly name: string
  readonly method: string
  /** The path with parameters, as `/api/v1/applications/{uuid}`. */
  readonly template: string
  /** The path of a thing that is not there. */
  readonly path: string
  readonly action: Action | undefined
  readonly hasBody: boolean
}

const found: Array<Endpoint> = []
HttpApi.reflect(DeployApi, {
  onGroup() {},
  onEndpoint({ endpoint, group }) {
    found.push({
      name: `${group.identifier}.${endpoint.identifier}`,
      method: endpoint.method,
      template: endpoint.path.replace(/:(\w+)/g, "{$1}"),
      path: endpoint.path.replace(/:\w+/g, "nowhere"),
      action: Context.getOrUndefined(endpoint.annotations, EndpointAction),
      hasBody: endpoint.payload.size > 0
    })
  }
})

/** Every endpoint of the API. */
export const endpoints: ReadonlyArray<Endpoint> = found
