import { Layer } from "effect"
import { containerRoutes } from "./containers/routes.ts"
import { layer as api } from "./layer.ts"

/** All routes of the code hosting service: its API and its pages, and the registry of containers, which is no API of endpoints. */
export const layer = Layer.mergeAll(api, containerRoutes)
