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

/** What comes over a deployment before one of its steps. */
type Trouble = "killed" | "unreachable"

const server = uuidOf<Deployment["serverUuid"]>("server", 1)

/** Deploys, with a trouble before the `last`th step, and returns the steps that were taken before that. */
const deployWith = Effect.fnUntraced(function* (isSecond: boolean, last: number, trouble: Trouble) {
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
  const simulation = yield* EngineSimulation
  let isOver = false
  yield* gate.guard(deployment.uuid, (next) =>
    Effect.suspend(() => {
      // A lease is renewed beside the steps, at no certain moment between them.
      if (isOver || next.step === "renew") return Effect.void
      if (taken.length < last) {
        taken.push(next)
        return Effect.void
      }
      isOver = trouble === "unreachable"
      return isOver ? simulation.cutOff(server, "the cable is cut") : Effect.never
    })
  )
  const worker = yield* startWorker()
  yield* pass(12, look)
  if (trouble === "killed") {
    yield* Fiber.interrupt(worker)
    yield* gate.guard(deployment.uuid, () => Effect.void)
    yield* startWorker()
  } else yield* simulation.cutOff(server, null)
  yield* pass(30, look)

  const { cancelRequested, reason, status } = yield* shown(deployment)
  assert.deepStrictEqual([status, reason, cancelRequested], ["finished", null, false])
  assert.deepStrictEqual(
    (yield* linesOf(deployment)).filter((line) => states.includes(line)),
    states
  )
  const { building, containers, images } = yield* simulation.inventory(server)
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

const inWorld = (...[isSecond, last, trouble]: Parameters<typeof deployWith>) =>
  Effect.scoped(Effect.provide(deployWith(isSecond, last, trouble), world, { local: true }))

const troubles = [
  ["is killed", "killed"],
  ["can't reach its server for a while", "unreachable"]
] as const

describe("a worker", () => {
  for (const [what, trouble] of troubles) {
    for (const isSecond of [false, true]) {
      const title = isSecond ? "an update, which nobody notices until its switch," : "a first deployment"
      it.effect(`that ${what} before any step of ${title} ends it well, with nothing done twice`, () =>
        Effect.gen(function* () {
          const all = yield* inWorld(isSecond, Number.POSITIVE_INFINITY, trouble)
          assert.deepStrictEqual(
            [...new Set(all.map(({ state }) => state))],
            ["preparing", "building", "starting", "checking", "switching"]
          )
          for (let last = 0; last < all.length; last++) {
            const taken = yield* inWorld(isSecond, last, trouble)
            assert.deepStrictEqual(taken, all.slice(0, last))
          }
        })
      )
    }
  }
})
