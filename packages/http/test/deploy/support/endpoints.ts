import type { Action } from "@slipway/domain/deploy/entry"
import { DeployApi, EndpointAction, EndpointSignature } from "@slipway/http/api/deploy"
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"

/** One endpoint as the API declares it. */
export interface Endpoint {
  readonly name: string
  readonly method: string
  /** The path with parameters, as `/api/v1/applications/{uuid}`. */
  readonly template: string
  /** The path of a resource that does not exist. */
  readonly path: string
  readonly action: Action | undefined
  readonly hasBody: boolean
  readonly summary: string
}

const found: Array<Endpoint> = []
const signed: Array<Endpoint> = []
HttpApi.reflect(DeployApi, {
  onGroup() {},
  onEndpoint({ endpoint, group }) {
    const isSigned = Context.getOrUndefined(endpoint.annotations, EndpointSignature) !== undefined
    const each = isSigned ? signed : found
    each.push({
      name: `${group.identifier}.${endpoint.identifier}`,
      method: endpoint.method,
      template: endpoint.path.replace(/:(\w+)/g, "{$1}"),
      path: endpoint.path.replace(/:\w+/g, "nowhere"),
      action: Context.getOrUndefined(endpoint.annotations, EndpointAction),
      hasBody: endpoint.payload.size > 0,
      summary: Context.getOrUndefined(endpoint.annotations, OpenApi.Summary) ?? ""
    })
  }
})

/** All endpoints of the API that require a token. */
export const endpoints: ReadonlyArray<Endpoint> = found

/** All endpoints of the API that authenticate by the signature of the body. */
export const signedEndpoints: ReadonlyArray<Endpoint> = signed
