import { Layer } from "effect"
import { layer as api } from "./layer.ts"
import { containerRoutes } from "./registries/containers/routes.ts"

/** Layer with all routes of the code hosting service: the API, the pages and the container registry. */
export const layer = Layer.mergeAll(api, containerRoutes)
