import { assert, describe, it } from "@effect/vitest"
import { now } from "@slipway/domain"
import { type Deployment, DeploymentStore, hasEnded, ReleaseStore } from "@slipway/domain/deploy/apps"
import { EngineSimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber, Schema } from "effect"
import { runs } from "../../../../../scripts/vitest/runs.ts"
import { describeRandomRuns } from "./support/randomRuns.ts"
import {
  Gate,
  pass,
  place,
  plantApplication,
  queue,
  server,
  shown,
  startWorker,
  visit,
  world
} from "./support/support.ts"

const applications = [1, 2, 3] as const

const Application = Schema.Literals(applications)
const Worker = Schema.Literals([0, 1])
const Seconds = Schema.Literals([0.1, 1, 2, 5, 20])

/** An event of the platform. */
const Command = Schema.Union([
  Schema.Struct({ do: Schema.Literals(["deploy", "cancel"]), application: Application }),
  Schema.Struct({ do: Schema.Literals(["kill", "start"]), worker: Worker }),
  Schema.Struct({ do: Schema.Literals(["cut off", "bring back"]) }),
  Schema.Struct({ do: Schema.Literal("wait"), seconds: Seconds })
])
type Command = typeof Command.Type

const mostBuilds = 2

/** Runs commands while two workers share the deployments, and waits until all work has ended. */
const happen = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
  const planted = yield* place({ concurrentBuilds: mostBuilds })
  const rows = yield* Effect.forEach(applications, (n) => plantApplication(planted, n))
  const simulation = yield* EngineSimulation
  const store = yield* DeploymentStore
  const workers: [Fiber.Fiber<never> | undefined, Fiber.Fiber<never> | undefined] = [undefined, undefined]
  let [deployments, building] = [0, 0]
  yield* (yield* Gate).guard(uuidOf("deployment", 404), ({ step }) =>
    step === "build"
      ? Effect.acquireUseRelease(
          Effect.sync(() => void building++),
          () => Effect.sleep("2 seconds"),
          () => Effect.sync(() => void building--)
        )
      : Effect.void
  )
  const before = new Map<string, Deployment>()
  const all = store.list({ limit: 1_000 })
  const look = Effect.gen(function* () {
    const present = yield* all
    const active = present.filter(({ status }) => status !== "queued" && !hasEnded(status))
    assert.isAtMost(active.length, mostBuilds)
    assert.strictEqual(new Set(active.map(({ applicationUuid }) => applicationUuid)).size, active.length)
    assert.isAtMost(building, active.filter(({ status }) => status === "building").length)
    for (const row of present) {
      const was = before.get(row.uuid)
      before.set(row.uuid, row)
      if (was === undefined) continue
      if (hasEnded(was.status)) assert.strictEqual(row.status, was.status)
      // A worker claims a deployment only after the previous lease has expired.
      const isTaken = row.claimedBy !== was.claimedBy
      if (isTaken && was.leaseUntil !== null) assert.isAtMost(Date.parse(was.leaseUntil), Date.parse(yield* now))
    }
  })
  for (const command of commands) {
    switch (command.do) {
      case "deploy": {
        const application = rows[command.application - 1] ?? assert.fail("no such application")
        yield* queue(++deployments, application)
        break
      }
      case "cancel": {
        const application = rows[command.application - 1] ?? assert.fail("no such application")
        const [newest] = yield* store.ofApplication(application.uuid, { limit: 1 })
        if (newest !== undefined) yield* store.requestCancel(newest.uuid, yield* now)
        break
      }
      case "start":
        workers[command.worker] ??= yield* startWorker()
        break
      case "kill": {
        const worker = workers[command.worker]
        if (worker !== undefined) yield* Fiber.interrupt(worker)
        workers[command.worker] = undefined
        break
      }
      case "wait":
        yield* pass(command.seconds, look)
        break
      default:
        yield* simulation.cutOff(server, command.do === "cut off" ? "the cable is cut" : null)
    }
  }
  yield* simulation.cutOff(server, null)
  yield* startWorker()
  for (let waited = 0; waited < 150 && (yield* all).some(({ status }) => !hasEnded(status)); waited++) {
    yield* pass(1, look)
  }
  return { rows, ended: yield* all }
})

const checkEnd = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
  const { ended, rows } = yield* happen(commands)
  const releases = yield* ReleaseStore
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  for (const { reason, status } of ended) {
    assert.include(["finished", "cancelled"], status, `${reason}`)
  }
  for (const [index, { uuid }] of rows.entries()) {
    const last = ended.filter((row) => row.applicationUuid === uuid && row.status === "finished").at(-1)
    const serving = yield* releases.serving(uuid)
    assert.strictEqual(serving?.deploymentUuid, last?.uuid)
    assert.deepStrictEqual(
      containers.flatMap(({ owner, state }) => (owner.application === uuid ? [[owner.deployment, state]] : [])),
      last === undefined ? [] : [[last.uuid, "running"]]
    )
    assert.strictEqual(yield* visit(index + 1), last?.uuid ?? 404)
  }
})

describe("two workers", () => {
  it.effect("never run one deployment concurrently, even if the store renews its lease too late", () =>
    Effect.gen(function* () {
      const deployment = yield* queue(1, yield* plantApplication(yield* place()))
      let [building, most, builds] = [0, 0, 0]
      const isSlow = Effect.sync(() => {
        building++
        builds++
        most = Math.max(most, building)
      })
      yield* (yield* Gate).guard(deployment.uuid, ({ step }) => {
        // The first attempt hangs, and so does the store after three seconds.
        if (step === "renew" && builds === 1) return Effect.sleep("40 seconds")
        if (step !== "build") return Effect.void
        return Effect.acquireUseRelease(
          isSlow,
          () => Effect.sleep("20 seconds"),
          () => Effect.sync(() => void building--)
        )
      })
      yield* startWorker()
      yield* startWorker()
      yield* pass(90)
      assert.deepStrictEqual([(yield* shown(deployment)).status, most, builds], ["finished", 1, 2])
    }).pipe(Effect.provide(world))
  )

  it.effect(
    "never share a deployment, and after any failures each application has one container",
    () =>
      Effect.gen(function* () {
        const failure = yield* describeRandomRuns(Command, { runs: runs(80), maxLength: 30 }, checkEnd)
        assert.isUndefined(failure)
      }),
    120_000
  )
})
