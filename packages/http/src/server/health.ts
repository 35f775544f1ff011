import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/**
 * Serves `GET /healthz` (the process answers) and `GET /readyz` (its store answers too, within two seconds).
 *
 * `store` is any effect that fails or dies when the store can't be used.
 */
export const healthRoutes = <E, R>(store: Effect.Effect<unknown, E, R>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const services = yield* Effect.context<R>()
      const ok = HttpServerResponse.jsonUnsafe({ status: "ok" })
      const unready = HttpServerResponse.jsonUnsafe({ status: "unavailable" }, { status: 503 })
      yield* router.add("GET", "/healthz", Effect.succeed(ok))
      yield* router.add(
        "GET",
        "/readyz",
        store.pipe(
          Effect.timeout("2 seconds"),
          Effect.as(ok),
          Effect.catchCause(() => Effect.succeed(unready)),
          Effect.provideContext(services)
        )
      )
    })
  )
