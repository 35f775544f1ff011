import { DeployApi } from "@slipway/http/api/deploy"
import { ForgeApi } from "@slipway/http/api/forge"
import { OpenApi } from "effect/http-api"

/** The parts of an operation that the reference pages show. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly access: {
    readonly action?: string
    readonly scope?: ReadonlyArray<string>
    readonly guards?: ReadonlyArray<string>
    readonly because?: unknown
  }
  readonly errors: ReadonlyArray<{ readonly status: string; readonly description: string }>
}

const methods = ["get", "post", "put", "patch", "delete"] as const

const operationsOf = (document: OpenApi.OpenAPISpec): ReadonlyArray<Operation> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const access = (operation as { readonly "x-access"?: Operation["access"] })["x-access"]
      const errors = Object.entries(operation.responses ?? {})
        .filter(([status]) => Number(status) >= 300)
        .flatMap(([status, { description }]) => description.split(" | ").map((each) => ({ status, description: each })))
      return [
        {
          method: method.toUpperCase(),
          path: path.replace("/api/v1", ""),
          tag: operation.tags?.[0] ?? "",
          summary: operation.summary ?? "",
          access: access ?? {},
          errors
        }
      ]
    })
  )

const read = (document: OpenApi.OpenAPISpec) => ({
  operations: operationsOf(document),
  tags: new Map((document.tags ?? []).map(({ description, name }) => [name, description ?? ""]))
})

/** The operations of both services, as their OpenAPI documents describe them. */
export const services = {
  forge: read(OpenApi.fromApi(ForgeApi)),
  deploy: read(OpenApi.fromApi(DeployApi))
} as const
