import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { ApplicationStore, type Preview, PreviewStore } from "@slipway/domain/deploy/apps"
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

const previewOf = (
  applicationUuid: ApplicationUuid,
  pullRequestId: number,
  previewUuid: ApplicationUuid,
  branch: string | null = "feature/x"
): Preview => ({ applicationUuid, pullRequestId, previewUuid, branch, createdAt: moment(pullRequestId) })

/** Contract tests of the store that records which applications are previews of pull requests. */
export const previews: Contract<Stores> = {
  port: "PreviewStore",
  musts: {
    "return a preview as stored, by its pull request and by its application": Effect.gen(function* () {
      const [shop, first, second] = yield* planted
      const store = yield* PreviewStore
      const named = previewOf(shop, 12, first)
      const numbered = previewOf(shop, 2_147_483_647, second, null)
      assert.isTrue(yield* store.put(named))
      assert.isTrue(yield* store.put(numbered))
      assert.deepStrictEqual(yield* store.find(shop, 12), named)
      assert.deepStrictEqual(yield* store.among([second]), [numbered])
      assert.isUndefined(yield* store.find(first, 12))
      assert.isUndefined(yield* store.find(shop, 13))
      assert.deepStrictEqual(yield* store.among([shop]), [])
    }),
    "find the previews among several applications in one call": Effect.gen(function* () {
      const [shop, first, second, other, third] = yield* planted
      const store = yield* PreviewStore
      yield* store.put(previewOf(shop, 1, first))
      yield* store.put(previewOf(shop, 2, second))
      yield* store.put(previewOf(other, 1, third))
      assert.sameDeepMembers(
        [...(yield* store.among([third, shop, first, first]))],
        [previewOf(other, 1, third), previewOf(shop, 1, first)]
      )
      assert.deepStrictEqual(yield* store.among([]), [])
    }),
    "keep one preview per pull request of an application, and update its branch": Effect.gen(function* () {
      const [shop, first, other, second] = yield* planted
      const store = yield* PreviewStore
      yield* store.put(previewOf(shop, 12, first, null))
      assert.isTrue(yield* store.put(previewOf(shop, 12, first, "feature/y")))
      assert.isTrue(yield* store.put(previewOf(other, 12, second)))
      assert.deepStrictEqual(yield* store.ofApplication(shop), [previewOf(shop, 12, first, "feature/y")])
    }),
    "list only the previews of the given application, by pull request": Effect.gen(function* () {
      const [shop, first, second, other, third] = yield* planted
      const store = yield* PreviewStore
      yield* store.put(previewOf(shop, 12, first))
      yield* store.put(previewOf(shop, 9, second))
      yield* store.put(previewOf(other, 1, third))
      assert.deepStrictEqual(yield* store.ofApplication(shop), [previewOf(shop, 9, second), previewOf(shop, 12, first)])
    }),
    "remove a preview with either of its applications": Effect.gen(function* () {
      const [shop, first, second, other, third] = yield* planted
      const store = yield* PreviewStore
      const applications = yield* ApplicationStore
      yield* store.put(previewOf(shop, 1, first))
      yield* store.put(previewOf(shop, 2, second))
      yield* store.put(previewOf(other, 1, third))
      yield* applications.remove(first)
      assert.deepStrictEqual(yield* store.ofApplication(shop), [previewOf(shop, 2, second)])
      yield* applications.remove(shop)
      assert.deepStrictEqual(yield* store.among([second]), [])
      assert.deepStrictEqual(yield* store.among([third]), [previewOf(other, 1, third)])
      assert.isFalse(yield* store.put(previewOf(shop, 1, second)))
      assert.isFalse(yield* store.put(previewOf(other, 2, first)))
    })
  }
}
