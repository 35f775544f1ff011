import { assert, describe, it } from "@effect/vitest"
import { ScheduledTasks } from "@slipway/deploy/apps"
import { Pipeline } from "@slipway/deploy/runtime"
import { now } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  type Deployment,
  hasEnded,
  type ScheduledTask,
  type ScheduledTaskInput,
  ScheduledTaskStore
} from "@slipway/domain/deploy/apps"
import type { Engine } from "@slipway/domain/deploy/containers"
import { system } from "@slipway/domain/deploy/entry"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber } from "effect"
import { pass, place, plantApplication, queue, settings, shown, startWorker, world } from "./support/support.ts"

const startTasks = (alone = false) => Effect.forkScoped(Pipeline.runTasks({ ...settings, alone }))

const schedule = (application: Application, facts: Partial<ScheduledTaskInput> = {}) =>
  ScheduledTasks.create(system("task.create", { application }), {
    name: "task",
    command: "echo 'a b' $HOME",
    frequency: "* * * * *",
    container: null,
    timeout: 30,
    isEnabled: true,
    ...facts
  })

const executionsOf = (task: ScheduledTask) => Effect.flatMap(ScheduledTaskStore, (store) => store.executions(task.uuid))

const statusesOf = (task: ScheduledTask) => Effect.map(executionsOf(task), (all) => all.map(({ status }) => status))

const ask = Effect.fnUntraced(function* (task: ScheduledTask) {
  const application = (yield* (yield* ApplicationStore).find(task.applicationUuid)) ?? assert.fail("it is there")
  yield* ScheduledTasks.execute(system("task.execute", { application, task }))
})

/** A serving application. Its commands print their arguments. */
const served = Effect.gen(function* () {
  const application = yield* plantApplication(yield* place())
  yield* (yield* EngineSimulation).onBuild(() => ({
    image: {
      command: ({ argv }) => ({
        exitCode: argv[0] === "false" ? 3 : 0,
        output: [{ stream: "stdout", text: argv.join("|") }]
      })
    }
  }))
  yield* startWorker()
  const deployment: Deployment = yield* queue(1, application)
  for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
  assert.strictEqual((yield* shown(deployment)).status, "finished")
  return application
})

/** Makes commands in containers take some seconds. */
const slow = Effect.fnUntraced(function* (seconds: number) {
  yield* (yield* EngineSimulation).onCall((_, operation: keyof Engine) =>
    operation === "exec" ? Effect.sleep(seconds * 1_000) : Effect.void
  )
})

describe("scheduled tasks", () => {
  it.effect("run in the serving container on schedule and on request", () =>
    Effect.gen(function* () {
      const application = yield* served
      const task = yield* schedule(application)
      const failing = yield* schedule(application, { command: "false", frequency: "daily" })
      const elsewhere = yield* schedule(application, { container: "none", frequency: "daily" })
      yield* startTasks()
      yield* pass(125)
      const due = yield* executionsOf(task)
      assert.deepStrictEqual(
        due.map(({ message, startedAt, status }) => [status, message, startedAt.slice(17, 19)]),
        [
          ["success", "echo|a b|$HOME", "00"],
          ["success", "echo|a b|$HOME", "00"]
        ]
      )
      for (const each of [failing, elsewhere]) {
        assert.deepStrictEqual(yield* executionsOf(each), [])
        yield* ask(each)
      }
      yield* pass(2)
      assert.deepStrictEqual(
        (yield* executionsOf(failing)).map(({ message, status }) => [status, message]),
        [["failed", "false\nthe command exited with 3"]]
      )
      assert.deepStrictEqual(
        (yield* executionsOf(elsewhere)).map(({ message }) => message),
        ["no container `none` runs"]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("run once at a time with a timeout, and not while they are paused", () =>
    Effect.gen(function* () {
      const application = yield* served
      const task = yield* schedule(application, { timeout: 90 })
      const paused = yield* schedule(application, { isEnabled: false })
      yield* slow(70)
      for (const _ of [1, 2]) yield* startTasks()
      yield* pass(62)
      yield* ask(task)
      yield* pass(60)
      assert.deepStrictEqual(yield* statusesOf(task), ["running"])
      yield* pass(15)
      assert.deepStrictEqual(yield* statusesOf(task), ["running", "success"])
      assert.deepStrictEqual(yield* statusesOf(paused), [])
      yield* slow(600)
      yield* pass(200)
      const [, late] = yield* executionsOf(task)
      assert.strictEqual(late?.message, "it took longer than 90 seconds; its processes may still run in the container")
    }).pipe(Effect.provide(world))
  )

  // Prevents: two long tasks of four applications block the tasks of all others for hours.
  it.effect("run next to long tasks of other applications", () =>
    Effect.gen(function* () {
      const first = yield* served
      const others = yield* Effect.forEach([2, 3, 4, 5], (n) => plantApplication({ placement: first.placement }, n))
      for (const [n, application] of others.entries()) {
        const deployment = yield* queue(n + 2, application)
        for (let passed = 0; passed < 60 && !hasEnded((yield* shown(deployment)).status); passed++) yield* pass(1)
      }
      yield* slow(100_000)
      yield* startTasks()
      const [last = assert.fail("there are five"), ...busy] = [first, ...others].toReversed()
      const long = { frequency: "yearly", timeout: 36_000 }
      for (const application of busy) {
        for (const _ of [1, 2]) yield* ask(yield* schedule(application, long))
      }
      yield* pass(5)
      const task = yield* schedule(last, long)
      yield* ask(task)
      yield* pass(5)
      assert.deepStrictEqual(yield* statusesOf(task), ["running"])
    }).pipe(Effect.provide(world))
  )

  it.effect("are marked as failed when their process stops or is killed, and run again in the next process", () =>
    Effect.gen(function* () {
      const application = yield* served
      const task = yield* schedule(application, { frequency: "daily", timeout: 600 })
      yield* slow(300)
      const first = yield* startTasks()
      yield* ask(task)
      yield* pass(2)
      yield* Fiber.interrupt(first)
      assert.deepStrictEqual(
        (yield* executionsOf(task)).map(({ message, status }) => [status, message]),
        [["failed", "the platform was stopped while it ran"]]
      )
      // A killed process leaves a lease without renewal, and an execution that stays running.
      const store = yield* ScheduledTaskStore
      const at = yield* now
      yield* ask(task)
      yield* store.claim({ worker: "killed", at, until: at.replace(/^\d+/, "2999") })
      const [ended] = yield* executionsOf(task)
      assert.isDefined(ended)
      const begun = { ...ended, uuid: "k".repeat(24) as typeof ended.uuid, status: "running", message: null } as const
      yield* store.begin(task.uuid, task.dueAt, { ...begun, finishedAt: null })
      yield* startTasks(true)
      yield* pass(2)
      const [left] = yield* executionsOf(task)
      assert.deepStrictEqual(
        [left?.status, left?.message],
        ["failed", "the platform exited while it ran; its result is unknown"]
      )
      yield* slow(0)
      yield* ask(task)
      yield* pass(2)
      assert.strictEqual((yield* statusesOf(task))[0], "success")
    }).pipe(Effect.provide(world))
  )

  it.effect("run once at a time even if the store renews a lease too late", () =>
    Effect.gen(function* () {
      const application = yield* served
      const task = yield* schedule(application, { frequency: "daily", timeout: 600 })
      let [present, most] = [0, 0]
      const counted = Effect.sync(() => {
        present += 1
        most = Math.max(most, present)
      })
      const lasting = Effect.sleep("70 seconds").pipe(
        Effect.ensuring(
          Effect.sync(() => {
            present -= 1
          })
        )
      )
      yield* (yield* EngineSimulation).onCall((_, operation: keyof Engine) =>
        operation === "exec" ? Effect.andThen(counted, lasting) : Effect.void
      )
      const store = yield* ScheduledTaskStore
      let renewals = 0
      const renew: typeof store.renew = (...renewal) =>
        renewals++ === 0 ? Effect.andThen(Effect.sleep("40 seconds"), store.renew(...renewal)) : store.renew(...renewal)
      yield* Effect.forkScoped(
        Effect.provideService(Pipeline.runTasks(settings), ScheduledTaskStore, { ...store, renew })
      )
      yield* ask(task)
      yield* pass(8)
      yield* ask(task)
      yield* pass(120)
      assert.strictEqual(most, 1)
      assert.deepStrictEqual(
        (yield* executionsOf(task)).map(({ status }) => status),
        ["success", "failed"]
      )
    }).pipe(Effect.provide(world))
  )

  it.effect("are skipped on schedule while the application is stopped, but fail when they are requested", () =>
    Effect.gen(function* () {
      const application = yield* plantApplication(yield* place())
      const task = yield* schedule(application)
      yield* startTasks()
      yield* pass(130)
      assert.deepStrictEqual(yield* executionsOf(task), [])
      yield* ask(task)
      yield* pass(2)
      assert.strictEqual((yield* executionsOf(task))[0]?.message, "the application is not running")
    }).pipe(Effect.provide(world))
  )
})
