import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { EnvironmentStore, ServiceStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { newPart, newService, uuidOf } from "../../builders.ts"
import { plantPlace } from "../../world.ts"

/** Contract tests of the store of services, in addition to the contract of every collection. */
export const services: Contract<Stores> = {
  port: "ServiceStore",
  musts: {
    "return a service with the current name of its environment": Effect.gen(function* () {
      const { environment, placement } = yield* plantPlace()
      const store = yield* ServiceStore
      const service = yield* store.insert(newService(1, placement))
      yield* (yield* EnvironmentStore).replace({ ...environment, name: "renamed" })
      const moved = { ...service, placement: { ...placement, environmentName: "renamed" } }
      assert.deepStrictEqual(yield* store.find(service.uuid), moved)
      assert.deepStrictEqual(yield* store.lock(service.uuid), moved)
      assert.deepStrictEqual(yield* store.list({ limit: 5 }), [moved])
      assert.deepStrictEqual(yield* store.findMany([service.uuid]), [moved])
    }),
    "find several existing services in one call, in the order of insertion": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const store = yield* ServiceStore
      const one = yield* store.insert(newService(2, placement, { parts: [newPart(1)] }))
      const two = yield* store.insert(newService(1, placement))
      yield* store.insert(newService(3, placement))
      assert.deepStrictEqual(yield* store.findMany([two.uuid, uuidOf("service", 404), one.uuid, two.uuid]), [one, two])
      assert.deepStrictEqual(yield* store.findMany([]), [])
    }),
    "list only the services that are placed on the given server, in the order of insertion": Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const elsewhere = yield* plantPlace(2)
      const store = yield* ServiceStore
      const one = yield* store.insert(newService(2, placement))
      yield* store.insert(newService(3, elsewhere.placement))
      const two = yield* store.insert(newService(1, placement))
      assert.deepStrictEqual(yield* store.placedOn(placement.serverUuid), [one, two])
    })
  }
}
