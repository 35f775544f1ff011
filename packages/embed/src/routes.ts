import { guardedTo } from "@slipway/http/server/forge"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

/** A route about things of a kind of one's own, which the guard of the forge stands before. */
export interface OwnRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The path, in which `:name` names the thing: `/printers/:name/pages`. */
  readonly path: `/${string}:name${string}`
  /** The action of the rules that it asks for. */
  readonly action: string
  /**
   * Answers a request that was allowed, whose body is there and no larger than the forge takes; `user` is nobody where
   * nobody has signed in.
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

/** Serves routes of one's own beside those of the forge. */
export const layerRoutes = (routes: ReadonlyArray<OwnRoute>) =>
  Layer.mergeAll(Layer.empty, ...routes.map((route) => HttpRouter.add(route.method, route.path, serving(route))))
