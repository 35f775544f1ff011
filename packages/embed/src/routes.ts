import { guardedTo } from "@slipway/http/server/forge"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

/** A custom route for a custom resource type. The forge authorizes its requests. */
export interface OwnRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The URL path. It contains `:name` for the name of the resource, as in `/printers/:name/pages`. */
  readonly path: `/${string}:name${string}`
  /** The name of the action that the caller must be allowed to perform. */
  readonly action: string
  /**
   * Handles an authorized request. The body is complete, and not larger than the forge's limit.
   *
   * `user` is undefined if the caller is not signed in.
   */
  readonly answer: (
    request: Request,
    asked: { readonly name: string; readonly user: string | undefined }
  ) => Response | Promise<Response>
}

const serving = ({ action, answer }: OwnRoute) =>
  Effect.gen(function* () {
    const { name = "" } = (yield* HttpRouter.RouteContext).params
    const { headers, method, url } = yield* HttpServerRequest.toWeb(yield* HttpServerRequest.HttpServerRequest)
    return yield* guardedTo(
      action,
      name,
      Effect.fnUntraced(function* ({ resource }, body) {
        const request = new Request(url, {
          method,
          headers,
          ...(body === undefined ? {} : { body: Uint8Array.from(body) })
        })
        const user = resource.actor.user?.name
        return HttpServerResponse.fromWeb(yield* Effect.promise(async () => answer(request, { name, user })))
      })
    )
  })

/** Serves custom routes in addition to those of the forge. */
export const layerRoutes = (routes: ReadonlyArray<OwnRoute>) =>
  Layer.mergeAll(Layer.empty, ...routes.map((route) => HttpRouter.add(route.method, route.path, serving(route))))
