import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { cacheAnswer } from "./answerCache.ts"
import { StoreCheck } from "./storeCheck.ts"

/**
 * Serves `GET /healthz` (the process answers) and `GET /readyz` (its store answers too, and has free space, within a
 * second).
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
