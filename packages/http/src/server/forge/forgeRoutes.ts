import { Layer } from "effect"
import { layer as api } from "./layer.ts"
import { containerRoutes } from "./registries/containers/routes.ts"

/**
 * All routes of the code hosting service: its API, its pages, and the container registry, which has no API endpoints.
 */
export const layer = Layer.mergeAll(api, containerRoutes)
