import { createConsole } from "@slipway/console"
import { layerMountedPages } from "@slipway/http/server"
import { rootUrlOf } from "@slipway/http/server/deploy"
import { Effect } from "effect"

/** Serves the console next to the API. */
export const layerConsole = layerMountedPages({
  site: Effect.sync(() => createConsole()),
  reachOf: (reach, request) => Effect.map(rootUrlOf(request), (rootUrl) => ({ ...reach, rootUrl }))
})
