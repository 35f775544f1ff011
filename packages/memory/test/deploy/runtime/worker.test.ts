import { assert, describe, it } from "@effect/vitest"
import { Deployments } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { now } from "@slipway/domain"
import { type Deployment, DeploymentStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber } from "effect"
import {
  Gate,
  Health,
  linesOf,
  pass,
  place,
  plantApplication,
  queue,
  type Step,
  server,
  shown,
  startWorker,
  states,
  visit,
  type WorkerStep,
  world
} from "./support/support.ts"

/** A step in the middle of each state. */
const middles: ReadonlyArray<{ readonly state: Deployment["status"]; readonly step: Step }> = [
  { state: "preparing", step: "open" },
  { state: "building", step: "build" },
  { state: "starting", step: "create" },
  { state: "checking", step: "inspect" },
  { state: "switching", step: "apply" }
]

const isAt = (middle: (typeof middles)[number]) => (taken: WorkerStep) =>
  taken.state === middle.state && taken.step === middle.step

/** An application with a serving first deployment and a queued second one. */
const updating = Effect.gen(function* () {
  const application = yield* plantApplication(yield* place())
  const first = yield* queue(1, application)
  const worker = yield* startWorker()
  yield* pass(10)
  assert.strictEqual(yield* visit(), first.uuid)
  yield* Fiber.interrupt(worker)
  return { application, first, second: yield* queue(2, application) }
})

const running = Effect.gen(function* () {
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  return containers.flatMap(({ owner, state }) => (state === "running" ? [owner.deployment] : []))
})

const cancel = Effect.fnUntraced(function* ({ uuid }: Deployment) {
  yield* (yield* DeploymentStore).requestCancel(uuid, yield* now)
})

/** Records each state of a deployment in order. */
const watching = (deployment: Deployment) => {
  const seen: Array<string> = []
  const look = Effect.map(shown(deployment), ({ status }) => {
    if (seen.at(-1) !== status) seen.push(status)
  })
  return { seen, look }
}

describe("a deployment", () => {
  for (const middle of middles) {
    const goesOn = middle.state === "switching"
    it.effect(
      `${goesOn ? "continues" : "ends, and the previous release keeps serving,"} when it is cancelled twice in ${middle.state}`,
      () =>
        Effect.gen(function* () {
          const { first, second } = yield* updating
          let isHeld = false
          yield* (yield* Gate).guard(second.uuid, (taken) =>
            Effect.suspend(() => {
              if (isHeld || !isAt(middle)(taken)) return Effect.void
              isHeld = true
              return goesOn ? Effect.sleep("10 seconds") : Effect.never
            })
          )
          yield* startWorker()
          yield* pass(5)
          assert.strictEqual((yield* shown(second)).status, middle.state)
          yield* cancel(second)
          yield* cancel(second)
          yield* pass(20)
          yield* cancel(second)
          const { finishedAt, reason, status } = yield* shown(second)
          assert.deepStrictEqual([status, reason], goesOn ? ["finished", null] : ["cancelled", "cancelled"])
          assert.isNotNull(finishedAt)
          const serves = goesOn ? second.uuid : first.uuid
          assert.deepStrictEqual([yield* visit(), yield* running], [serves, [serves]])
        }).pipe(Effect.provide(world))
    )

    it.effect(`resumes when its engine was unreachable for a minute in ${middle.state}`, () =>
      Effect.gen(function* () {
        const { second } = yield* updating
        const simulation = yield* EngineSimulation
        let wasAway = false
        yield* (yield* Gate).guard(second.uuid, (taken) =>
          Effect.suspend(() => {
            if (wasAway || !isAt(middle)(taken)) return Effect.void
            wasAway = true
            return simulation.cutOff(server, "the cable is cut")
          })
        )
        yield* startWorker()
        const { look, seen } = watching(second)
        yield* pass(60, look)
        assert.strictEqual(yield* visit(), middle.state === "switching" ? second.uuid : uuidOf("deployment", 1))
        yield* simulation.cutOff(server, null)
        yield* pass(40, look)
        assert.deepStrictEqual(
          seen.filter((state) => state !== "queued"),
          ["preparing", ...states].filter((state) => seen.includes(state))
        )
        assert.deepStrictEqual([(yield* shown(second)).status, yield* visit()], ["finished", second.uuid])
        assert.deepStrictEqual(
          (yield* linesOf(second)).filter((line) => states.includes(line)),
          states
        )
        assert.deepStrictEqual(yield* running, [second.uuid])
      }).pipe(Effect.provide(world))
    )
  }

  it.effect("continues when it is cancelled at the start of its switch", () =>
    Effect.gen(function* () {
      const { second } = yield* updating
      const store = yield* DeploymentStore
      const present = shown(second).pipe(Effect.provideService(DeploymentStore, store))
      let isHeld = false
      // The store executes a write that it already received, even if the worker gives up after the cancellation.
      const late = Effect.gen(function* () {
        yield* store.requestCancel(second.uuid, yield* now)
        yield* Effect.sleep("2 seconds")
        const row = yield* present
        yield* store.save({ ...row, status: "switching" }, row.claimedBy ?? "")
      })
      yield* (yield* Gate).guard(second.uuid, ({ state, step }) =>
        Effect.suspend(() => {
          if (isHeld || state !== "checking" || step !== "save") return Effect.void
          isHeld = true
          return Effect.uninterruptible(late)
        })
      )
      yield* startWorker()
      yield* pass(40)
      const { reason, status } = yield* shown(second)
      assert.deepStrictEqual([status, reason], ["finished", null])
      assert.deepStrictEqual([yield* visit(), yield* running], [second.uuid, [second.uuid]])
    }).pipe(Effect.provide(world))
  )

  it.effect("continues when it is cancelled while its server is silent after the switch", () =>
    Effect.gen(function* () {
      const { second } = yield* updating
      const simulation = yield* EngineSimulation
      let wasAway = false
      yield* (yield* Gate).guard(second.uuid, ({ state, step }) =>
        Effect.suspend(() => {
          if (wasAway || state !== "switching" || step !== "list") return Effect.void
          wasAway = true
          return simulation.cutOff(server, "the cable is cut")
        })
      )
      yield* startWorker()
      yield* pass(10)
      assert.strictEqual(yield* visit(), second.uuid)
      yield* simulation.cutOff(server, null)
      yield* cancel(second)
      yield* pass(30)
      assert.deepStrictEqual([(yield* shown(second)).status, yield* running], ["finished", [second.uuid]])
    }).pipe(Effect.provide(world))
  )

  it.effect("is cancelled immediately while it waits", () =>
    Effect.gen(function* () {
      const { first, second } = yield* updating
      yield* cancel(second)
      yield* startWorker()
      yield* pass(10)
      assert.deepStrictEqual([(yield* shown(second)).status, yield* visit()], ["cancelled", first.uuid])
    }).pipe(Effect.provide(world))
  )

  it.effect("is followed by the newest waiting deployment, which supersedes the other waiting ones", () =>
    Effect.gen(function* () {
      const { application, second } = yield* updating
      let isHeld = true
      yield* (yield* Gate).guard(second.uuid, ({ step }) =>
        Effect.suspend(() => (isHeld && step === "build" ? Effect.sleep("5 seconds") : Effect.void))
      )
      yield* startWorker()
      yield* pass(3)
      isHeld = false
      const waiting = yield* Effect.forEach([3, 4, 5], (n) => queue(n, application))
      yield* pass(30)
      assert.deepStrictEqual(
        yield* Effect.forEach([second, ...waiting], (each) =>
          Effect.map(shown(each), ({ reason, status }) => [status, reason])
        ),
        [
          ["finished", null],
          ["cancelled", "superseded"],
          ["cancelled", "superseded"],
          ["finished", null]
        ]
      )
      assert.deepStrictEqual([yield* visit(), yield* running], [waiting[2]?.uuid, [waiting[2]?.uuid]])
    }).pipe(Effect.provide(world))
  )

  it.effect("fails at the server's timeout, and the previous release keeps serving (invariant I25)", () =>
    Effect.gen(function* () {
      const planted = yield* place({ dynamicTimeout: 30 })
      const application = yield* plantApplication(planted)
      const first = yield* queue(1, application)
      yield* startWorker()
      yield* pass(10)
      yield* (yield* EngineSimulation).onBuild(() => ({ lines: ["step one"], hangs: true }))
      const second = yield* queue(2, application)
      yield* pass(25)
      assert.strictEqual((yield* shown(second)).status, "building")
      yield* pass(10)
      const { reason, status } = yield* shown(second)
      assert.deepStrictEqual([status, reason], ["failed", "it took longer than 30 seconds"])
      assert.deepStrictEqual([yield* visit(), yield* running], [first.uuid, [first.uuid]])
      assert.strictEqual((yield* (yield* EngineSimulation).inventory(server)).building, 0)
    }).pipe(Effect.provide(world))
  )

  it.effect("fails at its timeout when the engine never responds (invariant I25)", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place({ dynamicTimeout: 30 }))
      const deployment = yield* queue(1, application)
      yield* (yield* EngineSimulation).cutOff(server, "nobody is there")
      yield* startWorker()
      yield* pass(25)
      assert.strictEqual((yield* shown(deployment)).status, "preparing")
      // The worker tries to clean up on the engine for another minute.
      yield* pass(75)
      const { reason, status } = yield* shown(deployment)
      assert.deepStrictEqual(
        [status, reason],
        [
          "failed",
          "it took longer than 30 seconds, waiting for the engine of the server, which does not respond: nobody is there"
        ]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("fails when it stays unhealthy, shows its last log lines, and keeps the previous release", () =>
    Effect.gen(function* () {
      const { application, first, second } = yield* updating
      ;(yield* Health).sick.add(second.uuid)
      yield* (yield* EngineSimulation).onBuild(() => ({
        image: { program: () => ({ lines: [{ stream: "stdout", text: "no database" }] }) }
      }))
      yield* startWorker()
      const answers = new Set<string | number>()
      yield* pass(
        20,
        Effect.map(visit(), (answer) => void answers.add(answer))
      )
      const { reason, status } = yield* shown(second)
      assert.deepStrictEqual(
        [status, reason],
        ["failed", "not healthy after 3 tries: responded with 500 instead of 200"]
      )
      assert.include(yield* linesOf(second), "no database")
      assert.deepStrictEqual([[...answers], yield* running], [[first.uuid], [first.uuid]])
      const serving = yield* (yield* ReleaseStore).serving(application.uuid)
      assert.strictEqual(serving?.deploymentUuid, first.uuid)
    }).pipe(Effect.provide(world))
  )
})

describe("a worker", () => {
  it.effect("starts queued deployments immediately, including those that waited for another deployment", () =>
    Effect.gen(function* () {
      const planted = yield* place({ concurrentBuilds: 1 })
      yield* (yield* EngineSimulation).onCall((_, operation) =>
        operation === "build" ? Effect.sleep("10 seconds") : Effect.void
      )
      yield* startWorker({ drain: 0 })
      yield* pass(0.5)
      const deploy = Effect.fnUntraced(function* (n: number) {
        const { uuid } = yield* plantApplication(planted, n)
        return yield* Deployments.deploy(yield* systemOn("application.deploy", { uuid }), false)
      })
      const [first, second] = [yield* deploy(1), yield* deploy(2)]
      yield* pass(0.1)
      const statuses = Effect.map(Effect.all([shown(first), shown(second)]), (both) => both.map(({ status }) => status))
      assert.deepStrictEqual(yield* statuses, ["building", "queued"])
      let passed = 0
      for (; (yield* shown(first)).status !== "finished" && passed < 300; passed += 1) yield* pass(0.1)
      assert.deepStrictEqual(yield* statuses, ["finished", "building"])
    }).pipe(Effect.provide(world))
  )
})

describe("a server", () => {
  it.effect("builds no more deployments concurrently than its limit (invariant I25)", () =>
    Effect.gen(function* () {
      const planted = yield* place({ concurrentBuilds: 2 })
      const all = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (n) =>
        Effect.flatMap(plantApplication(planted, n), (application) => queue(n, application))
      )
      let [busy, most] = [0, 0]
      const simulation = yield* EngineSimulation
      yield* simulation.onCall((_, operation) => (operation === "build" ? Effect.sleep("4 seconds") : Effect.void))
      yield* startWorker()
      yield* startWorker()
      const look = Effect.gen(function* () {
        const rows = yield* Effect.forEach(all, shown)
        busy = rows.filter(({ status }) => !["queued", "finished"].includes(status)).length
        most = Math.max(most, busy)
      })
      yield* pass(60, look)
      assert.deepStrictEqual([busy, most], [0, 2])
      assert.deepStrictEqual(
        yield* Effect.forEach(all, (each) => Effect.map(shown(each), ({ status }) => status)),
        all.map(() => "finished")
      )
    }).pipe(Effect.provide(world))
  )
})
