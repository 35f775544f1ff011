import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Service, start, stores } from "./harness.ts"
import { makeWorld, type World } from "./world.ts"

/** A service with a world of resources. */
export interface ServiceWithWorld {
  readonly service: Service
  readonly world: World
}

/** The service under test of a group of tests. */
export class Api extends Context.Service<Api, ServiceWithWorld>()("test/deploy/Api") {}

type StoreName = keyof typeof stores

/** The names of the stores that services run on. */
export const storeNames = Object.keys(stores) as ReadonlyArray<StoreName>

/** Describes tests that share one service, which is started for them on a store. */
export const withApi = (store: StoreName = "memory") =>
  layer(
    Layer.effect(
      Api,
      Effect.gen(function* () {
        const service = yield* start(stores[store])
        return { service, world: yield* makeWorld(service) }
      })
    ),
    { excludeTestServices: true }
  )
