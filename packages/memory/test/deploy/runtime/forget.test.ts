import { assert, describe, it } from "@effect/vitest"
import { Pipeline } from "@slipway/deploy/runtime"
import { DeletionStore, DeploymentStore } from "@slipway/domain/deploy/apps"
import { newDeletion, newDeployment, targetOf } from "@slipway/testkit/deploy"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { world } from "./support/support.ts"

const days = (n: number) => n * 86_400_000

/** Plants many deployments and a deletion of a removed application, and sets the clock to their end. */
const planted = Effect.gen(function* () {
  const deployments = yield* DeploymentStore
  const at = "2026-01-01T00:00:00.000Z"
  const over = { status: "finished", createdAt: at, updatedAt: at } as const
  for (let n = 0; n < 50; n++) {
    yield* deployments.insert(newDeployment(n, targetOf(1), { ...over, finishedAt: at }))
  }
  yield* (yield* DeletionStore).insert(newDeletion(1, targetOf(1), over))
  yield* TestClock.setTime(Date.parse(at))
  return { counts: Effect.all([deployments.count, (yield* DeletionStore).count]) }
})

describe("the retention job", () => {
  it.effect("deletes deployments and deletions after the retention period, and not before", () =>
    Effect.gen(function* () {
      const { counts } = yield* planted
      yield* Effect.forkScoped(Pipeline.forgetOld(30))
      yield* TestClock.adjust(days(30))
      assert.deepStrictEqual(yield* counts, [50, 1])
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(yield* counts, [0, 0])
    }).pipe(Effect.provide(world))
  )

  it.effect("deletes nothing without a retention period", () =>
    Effect.gen(function* () {
      const { counts } = yield* planted
      yield* Effect.forkScoped(Pipeline.forgetOld(undefined))
      yield* TestClock.adjust(days(3_650))
      assert.deepStrictEqual(yield* counts, [50, 1])
    }).pipe(Effect.provide(world))
  )
})
