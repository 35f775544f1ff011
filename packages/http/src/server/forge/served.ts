import { Layer } from "effect"
import { layer as api } from "./layer.ts"
import { containerRoutes } from "./registries/containers/routes.ts"

/** All routes of the code hosting service: its API and its pages, and the registry of containers, which is no API of endpoints. */
export const layer = Layer.mergeAll(api, containerRoutes)
