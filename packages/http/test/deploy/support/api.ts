import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Service, start, stores } from "./harness.ts"
import { makeWorld, type World } from "./world.ts"

/** A service, and a world in it. */
export interface ServiceWithWorld {
  readonly service: Service
  readonly world: World
}

/** The service that the tests of a group ask. */
export class Api extends Context.Service<Api, ServiceWithWorld>()("test/deploy/Api") {}

type StoreName = keyof typeof stores

/** The names of the stores that services run over. */
export const storeNames = Object.keys(stores) as ReadonlyArray<StoreName>

/** Describes tests that ask one service, which is started for them over a store. */
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
