import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ForgeApi } from "../../api/forge/ForgeApi.ts"
import { errorBodies } from "../errorBodies.ts"
import { referenceRoutes } from "../reference.ts"
import { errorBody, texts } from "./errors.ts"
import { layerSite } from "./site.ts"

/** All routes of the code hosting service: its API, its description and its reference page. */
export const layer = Layer.mergeAll(
  HttpApiBuilder.layer(ForgeApi).pipe(Layer.provide(layerSite)),
  referenceRoutes(ForgeApi),
  errorBodies(ForgeApi, texts, errorBody)
)
