import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { type AdditionalDestination, AdditionalDestinationStore, ApplicationStore } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newApplication } from "../../builders.ts"
import { plantPlace } from "../../world.ts"

const planted = Effect.gen(function* () {
  const { placement } = yield* plantPlace()
  const applications = yield* ApplicationStore
  const uuids: Array<ApplicationUuid> = []
  for (const n of [1, 2, 3, 4, 5]) uuids.push((yield* applications.insert(newApplication(n, placement))).uuid)
  return uuids as [ApplicationUuid, ApplicationUuid, ApplicationUuid, ApplicationUuid, ApplicationUuid]
})

const destinationOf = (
  applicationUuid: ApplicationUuid,
  copyUuid: ApplicationUuid,
  at: number
): AdditionalDestination => ({ applicationUuid, copyUuid, createdAt: moment(at) })

/** Contract tests of the store that records which applications are copies at additional destinations. */
export const additionalDestinations: Contract<Stores> = {
  port: "AdditionalDestinationStore",
  musts: {
    "return an additional destination as stored, by its application and by its copy": Effect.gen(function* () {
      const [shop, first, second] = yield* planted
      const store = yield* AdditionalDestinationStore
      const stored = destinationOf(shop, first, 1)
      assert.isTrue(yield* store.insert(stored))
      assert.deepStrictEqual(yield* store.ofApplication(shop), [stored])
      assert.deepStrictEqual(yield* store.among([first]), [stored])
      assert.deepStrictEqual(yield* store.ofApplication(first), [])
      assert.deepStrictEqual(yield* store.among([shop, second]), [])
    }),
    "find the additional destinations among several copies in one call": Effect.gen(function* () {
      const [shop, first, second, other, third] = yield* planted
      const store = yield* AdditionalDestinationStore
      yield* store.insert(destinationOf(shop, first, 1))
      yield* store.insert(destinationOf(shop, second, 2))
      yield* store.insert(destinationOf(other, third, 3))
      assert.sameDeepMembers(
        [...(yield* store.among([third, shop, first, first]))],
        [destinationOf(other, third, 3), destinationOf(shop, first, 1)]
      )
      assert.deepStrictEqual(yield* store.among([]), [])
    }),
    "list only the additional destinations of the given application, oldest first": Effect.gen(function* () {
      const [shop, first, second, other, third] = yield* planted
      const store = yield* AdditionalDestinationStore
      yield* store.insert(destinationOf(shop, second, 1))
      yield* store.insert(destinationOf(other, third, 2))
      yield* store.insert(destinationOf(shop, first, 3))
      assert.deepStrictEqual(yield* store.ofApplication(shop), [
        destinationOf(shop, second, 1),
        destinationOf(shop, first, 3)
      ])
    }),
    "keep the first application of a copy": Effect.gen(function* () {
      const [shop, first, , other] = yield* planted
      const store = yield* AdditionalDestinationStore
      yield* store.insert(destinationOf(shop, first, 1))
      assert.isFalse(yield* store.insert(destinationOf(other, first, 2)))
      assert.deepStrictEqual(yield* store.among([first]), [destinationOf(shop, first, 1)])
    }),
    "remove an additional destination with either of its applications": Effect.gen(function* () {
      const [shop, first, second, other, third] = yield* planted
      const store = yield* AdditionalDestinationStore
      const applications = yield* ApplicationStore
      yield* store.insert(destinationOf(shop, first, 1))
      yield* store.insert(destinationOf(shop, second, 2))
      yield* store.insert(destinationOf(other, third, 3))
      yield* applications.remove(first)
      assert.deepStrictEqual(yield* store.ofApplication(shop), [destinationOf(shop, second, 2)])
      yield* applications.remove(shop)
      assert.deepStrictEqual(yield* store.among([second]), [])
      assert.deepStrictEqual(yield* store.among([third]), [destinationOf(other, third, 3)])
      assert.isFalse(yield* store.insert(destinationOf(shop, second, 4)))
      assert.isFalse(yield* store.insert(destinationOf(other, first, 4)))
    })
  }
}
