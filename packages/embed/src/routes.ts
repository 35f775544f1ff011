import { admittedTo } from "@slipway/http/server/forge"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

/** A route about things of a kind of one's own, which the guard of the forge stands before. */
export interface OwnRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The path, in which `:name` names the thing: `/printers/:name/pages`. */
  readonly path: `/${string}:name${string}`
  /** The action of the rules that it asks for. */
  readonly action: string
  /** Answers a request that was allowed; `user` is nobody where nobody has signed in. */
  readonly answer: (
    request: Request,
    asked: { readonly name: string; readonly user: string | undefined }
  ) => Response | Promise<Response>
}

const serving = ({ action, answer }: OwnRoute) =>
  Effect.gen(function* () {
    const { name = "" } = (yield* HttpRouter.RouteContext).params
    const proof = yield* admittedTo(action, name)
    if (HttpServerResponse.isHttpServerResponse(proof)) return proof
    const request = yield* HttpServerRequest.toWeb(yield* HttpServerRequest.HttpServerRequest)
    const user = proof.resource.actor.user?.name
    return HttpServerResponse.fromWeb(yield* Effect.promise(async () => answer(request, { name, user })))
  })

/** Serves routes of one's own beside those of the forge. */
export const layerRoutes = (routes: ReadonlyArray<OwnRoute>) =>
  Layer.mergeAll(Layer.empty, ...routes.map((route) => HttpRouter.add(route.method, route.path, serving(route))))
