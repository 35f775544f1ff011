import { assert, describe, it } from "@effect/vitest"
import { type Deployment, ReleaseStore } from "@slipway/domain/deploy"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber } from "effect"
import {
  Gate,
  linesOf,
  pass,
  place,
  plantApplication,
  queue,
  shown,
  startWorker,
  type Taken,
  visit,
  world
} from "./support.ts"

const states = ["building", "starting", "checking", "switching", "finished"]

/** Deploys, and dies before the `last`th step; another worker goes on. Returns the steps that were taken before that. */
const deployWith = Effect.fnUntraced(function* (isSecond: boolean, last: number) {
  const application = yield* plantApplication(yield* place())
  const before: Array<string | number> = []
  if (isSecond) {
    const first = yield* queue(1, application)
    const worker = yield* startWorker()
    yield* pass(10)
    assert.strictEqual((yield* shown(first)).status, "finished")
    yield* Fiber.interrupt(worker)
  }
  const look = Effect.map(visit(), (answer) => {
    if (before.at(-1) !== answer) before.push(answer)
  })
  const deployment = yield* queue(2, application)
  const taken: Array<Taken> = []
  const gate = yield* Gate
  yield* gate.guard(deployment.uuid, (next) =>
    Effect.suspend(() => {
      if (taken.length === last) return Effect.never
      taken.push(next)
      return Effect.void
    })
  )
  const killed = yield* startWorker()
  yield* pass(12, look)
  yield* Fiber.interrupt(killed)
  yield* gate.guard(deployment.uuid, () => Effect.void)
  yield* startWorker()
  yield* pass(30, look)

  const { cancelRequested, reason, status } = yield* shown(deployment)
  assert.deepStrictEqual([status, reason, cancelRequested], ["finished", null, false])
  assert.deepStrictEqual(
    (yield* linesOf(deployment)).filter((line) => states.includes(line)),
    states
  )
  const { building, containers, images } = yield* (yield* EngineSimulation).inventory(uuidOf("server", 1))
  assert.deepStrictEqual(
    containers.map(({ owner, state }) => [owner.deployment, state]),
    [[deployment.uuid, "running"]]
  )
  assert.strictEqual(building, 0)
  assert.strictEqual(images.filter(({ tags }) => tags.some((tag) => tag.endsWith(deployment.uuid))).length, 1)
  const releases = yield* ReleaseStore
  assert.strictEqual((yield* releases.serving(application.uuid))?.deploymentUuid, deployment.uuid)
  assert.strictEqual((yield* releases.ofApplication(application.uuid, 10)).length, isSecond ? 2 : 1)
  // Nobody is turned away: those before serve until those after do.
  const first = uuidOf<Deployment["uuid"]>("deployment", 1)
  assert.deepStrictEqual(
    before.filter((answer) => isSecond || answer !== 404),
    isSecond ? [first, deployment.uuid] : [deployment.uuid]
  )
  return taken
})

const inWorld = (isSecond: boolean, last: number) =>
  Effect.scoped(Effect.provide(deployWith(isSecond, last), world, { local: true }))

describe("a worker that is killed before any step of a deployment", () => {
  for (const [title, isSecond] of [
    ["leaves the next one what it needs to end the first deployment", false],
    ["leaves what serves serving, until the next one has ended the update", true]
  ] as const) {
    it.effect(
      title,
      () =>
        Effect.gen(function* () {
          const all = yield* inWorld(isSecond, Number.POSITIVE_INFINITY)
          assert.deepStrictEqual(
            [...new Set(all.map(({ state }) => state))],
            ["preparing", "building", "starting", "checking", "switching"]
          )
          for (let last = 0; last < all.length; last++) {
            const taken = yield* inWorld(isSecond, last)
            assert.deepStrictEqual(taken, all.slice(0, last))
          }
        }),
      120_000
    )
  }
})
