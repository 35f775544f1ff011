import { createConsole } from "@slipway/console"
import { layerMountedPages } from "@slipway/http/server"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Returns the address of the site as the browser knows it; a proxy in front of the platform names the scheme. */
const rootUrlOf = ({ headers }: HttpServerRequest.HttpServerRequest): string => {
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http"
  const root = `${scheme}://${headers.host ?? ""}`
  return URL.canParse(root) ? root : "http://localhost"
}

/** Serves the console next to the API. */
export const layerConsole = layerMountedPages({
  site: Effect.sync(() => createConsole()),
  reachOf: (reach, request) => Effect.succeed({ ...reach, rootUrl: rootUrlOf(request) })
})
