import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { cacheAnswer } from "./answerCache.ts"
import { StoreCheck } from "./storeCheck.ts"

/**
 * Layer with the health checks: `GET /healthz` succeeds while the process runs. `GET /readyz` succeeds if the database
 * responds within a second and has free space.
 */
export const healthRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { isReady } = yield* StoreCheck
    const ok = HttpServerResponse.jsonUnsafe({ status: "ok" })
    const unready = HttpServerResponse.jsonUnsafe(
      { status: "unavailable" },
      { status: 503, headers: { "retry-after": "2" } }
    )
    cacheAnswer(router, "/healthz", ok)
    yield* router.add("GET", "/healthz", Effect.succeed(ok))
    yield* router.add(
      "GET",
      "/readyz",
      Effect.map(isReady, (answered) => (answered ? ok : unready))
    )
  })
)
