import { assert, describe, it } from "@effect/vitest"
import { ScheduledTasks } from "@slipway/deploy/apps"
import { Backups } from "@slipway/deploy/databases"
import { Cleanups } from "@slipway/deploy/infrastructure"
import { Pipeline } from "@slipway/deploy/runtime"
import { now, Transaction } from "@slipway/domain"
import { DeploymentStore, ReleaseStore } from "@slipway/domain/deploy/apps"
import { ContainerEngine, EngineRefused } from "@slipway/domain/deploy/containers"
import { defaultBackup } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { rootTeam } from "@slipway/domain/deploy/identity"
import {
  type NotificationUuid,
  type Server,
  ServerStore,
  TeamNotificationStore,
  testMessage
} from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { plantDatabase, runDatabase, settle } from "../support/databaseSupport.ts"
import {
  Health,
  pass,
  passUntilEnded,
  place,
  plantApplication,
  world as platform,
  queue,
  server,
  settings,
  shown,
  startKeeping,
  startWorker
} from "../support/support.ts"
import { enableWebhook, Receiver, receiving } from "./receiver.ts"

const world = Layer.merge(platform, receiving)

const engine = Effect.flatMap(ContainerEngine, (engines) =>
  Effect.scoped(engines.open({ _tag: "Local", server, socket: null, connectionTimeout: 5 }))
)

const documents = Effect.map(Receiver, ({ received }) => received.map(({ document }) => document))
const texts = Effect.map(documents, (all) => all.map(({ message }) => message))

/** A deployment that finished, with a worker. */
const deployed = Effect.gen(function* () {
  const there = yield* place()
  const application = yield* plantApplication(there)
  const deployment = yield* queue(1, application)
  const worker = yield* startWorker()
  yield* passUntilEnded(deployment, 60)
  assert.strictEqual((yield* shown(deployment)).status, "finished")
  return { application, deployment, there, worker }
})

describe("notifications of deployments", () => {
  it.effect("report success and failure once, with names and uuids", () =>
    Effect.gen(function* () {
      yield* enableWebhook()
      const { application, deployment } = yield* deployed
      const broken = yield* queue(2, application, { applicationName: "application 1", pullRequestId: 7 })
      ;(yield* Health).sick.add(broken.uuid)
      yield* passUntilEnded(broken, 60)
      const names = { application_name: "application 1", application_uuid: application.uuid }
      assert.deepStrictEqual(yield* documents, [
        {
          success: true,
          message: "Deployment of application 1 succeeded.",
          event: "deployment_success",
          ...names,
          deployment_uuid: deployment.uuid
        },
        {
          success: false,
          message: "Deployment of pull request #7 of application 1 failed.",
          event: "deployment_failed",
          ...names,
          deployment_uuid: broken.uuid,
          pull_request_id: 7
        }
      ])
    }).pipe(Effect.provide(world))
  )

  it.effect("report a failed restart, but no successful stop and no cancelled deployment", () =>
    Effect.gen(function* () {
      yield* enableWebhook()
      const { application } = yield* deployed
      yield* (yield* DeploymentStore).requestCancel((yield* queue(2, application)).uuid, "1970-01-01T00:00:00.000Z")
      yield* pass(5)
      const restart = yield* queue(3, application, { action: "restart" })
      ;(yield* Health).sick.add(restart.uuid)
      yield* passUntilEnded(restart, 60)
      const stop = yield* queue(4, application, { action: "stop" })
      yield* passUntilEnded(stop, 60)
      assert.strictEqual((yield* shown(stop)).status, "finished")
      assert.deepStrictEqual(yield* texts, [
        "Deployment of application 1 succeeded.",
        "Restart of application 3 failed."
      ])
    }).pipe(Effect.provide(world))
  )

  it.effect("report only events that the channel settings select, also at the time of delivery", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver
      yield* enableWebhook(["deployment_failure"])
      yield* deployed
      assert.deepStrictEqual(receiver.seen, [])
      yield* enableWebhook()
      receiver.answer = "unreachable"
      const second = yield* plantApplication(yield* place({}, 2), 2)
      yield* passUntilEnded(yield* queue(5, second), 60)
      assert.strictEqual(receiver.seen.length > 0, true)
      yield* enableWebhook(["deployment_failure"])
      receiver.answer = 200
      yield* pass(120)
      assert.deepStrictEqual(receiver.received, [])
    }).pipe(Effect.provide(world))
  )

  it.effect("survive the kill of a worker between the end of a deployment and the delivery", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver
      yield* enableWebhook()
      receiver.answer = "silent"
      const { worker } = yield* deployed
      assert.strictEqual(receiver.seen.length, 1)
      yield* Fiber.interrupt(worker)
      receiver.answer = 200
      assert.deepStrictEqual(receiver.received, [])
      yield* startWorker()
      yield* pass(70)
      assert.deepStrictEqual(yield* texts, ["Deployment of application 1 succeeded."])
    }).pipe(Effect.provide(world))
  )

  it.effect("are created only if the end of the deployment is stored", () =>
    Effect.gen(function* () {
      yield* enableWebhook()
      const receiver = yield* Receiver
      const deployments = yield* DeploymentStore
      const transaction = yield* Transaction
      const application = yield* plantApplication(yield* place())
      const deployment = yield* queue(1, application)
      // The process dies after the statement that stores the end, before the commit.
      const dying = {
        ...deployments,
        save: (row: Parameters<typeof deployments.save>[0], worker: string) =>
          Effect.tap(deployments.save(row, worker), () => (row.status === "finished" ? Effect.never : Effect.void))
      }
      const worker = yield* Effect.forkScoped(Effect.provideService(Pipeline.run(settings), DeploymentStore, dying))
      yield* pass(30)
      yield* Fiber.interrupt(worker)
      assert.strictEqual((yield* shown(deployment)).status, "switching")
      const claim = { worker: "a", at: "2100-01-01T00:00:00.000Z", until: "2100-01-01T00:00:00.000Z" }
      assert.isUndefined(yield* transaction.run(Effect.flatMap(TeamNotificationStore, (store) => store.claim(claim))))
      yield* startWorker()
      yield* passUntilEnded(deployment, 60)
      assert.strictEqual(receiver.received.length, 1)
    }).pipe(Effect.provide(world))
  )

  it.effect("are retried after 10, 20, 40 … seconds, and dropped when the receiver rejects them", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver
      yield* enableWebhook()
      const attempts: Array<number> = []
      let before = 0
      let seconds = 0
      const look = Effect.sync(() => {
        seconds += 0.1
        if (receiver.seen.length > before) attempts.push(Math.round(seconds))
        before = receiver.seen.length
      })
      receiver.answer = 503
      yield* deployed
      assert.strictEqual(receiver.seen.length, 1)
      before = 1
      yield* pass(80, look)
      assert.strictEqual(receiver.seen.length, 4)
      const [first = 0, second = 0, third = 0] = attempts
      assert.deepStrictEqual([second - first, third - second], [20, 40])
      receiver.answer = 404
      yield* pass(90)
      assert.strictEqual(receiver.seen.length, 5)
      receiver.answer = 200
      yield* pass(600)
      assert.deepStrictEqual([receiver.seen.length, receiver.received], [5, []])
    }).pipe(Effect.provide(world))
  )

  it.effect("are discarded a day after their event", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver
      yield* enableWebhook()
      const store = yield* TeamNotificationStore
      const add = Effect.fnUntraced(function* (n: number, text: string) {
        const at = yield* now
        const uuid = `notification${String(n).padStart(12, "0")}` as NotificationUuid
        const message = { ...testMessage, text }
        const target = { channel: "webhook", recipient: null } as const
        yield* store.insert([{ ...target, uuid, teamId: rootTeam, message, attempts: 0, dueAt: at, createdAt: at }])
      })
      yield* add(1, "old")
      yield* TestClock.adjust("2 hours")
      yield* add(2, "recent")
      yield* TestClock.adjust("23 hours")
      yield* startWorker()
      yield* pass(2)
      assert.deepStrictEqual(yield* texts, ["recent"])
      assert.strictEqual(receiver.seen.length, 1)
    }).pipe(Effect.provide(world))
  )
})

describe("notifications of the status of resources", () => {
  it.effect("report each time only once that an application is degraded or runs again", () =>
    Effect.gen(function* () {
      yield* enableWebhook(["status_change"])
      const { application } = yield* deployed
      yield* startKeeping()
      yield* startKeeping()
      yield* pass(5)
      const simulation = yield* EngineSimulation
      let isBroken = true
      yield* simulation.onCall((_, operation) =>
        Effect.suspend(() =>
          operation === "start" && isBroken
            ? Effect.fail(new EngineRefused({ because: "no space: PASSWORD=hunter2" }))
            : Effect.void
        )
      )
      yield* simulation.cutOff(server, "the machine is off")
      yield* pass(25)
      yield* simulation.cutOff(server, null)
      const { kill, list } = yield* engine
      for (const { name } of yield* list({ application: application.uuid })) {
        yield* kill({ application: application.uuid, name })
      }
      yield* pass(200)
      assert.isNotNull((yield* (yield* ReleaseStore).serving(application.uuid))?.degraded ?? null)
      const facts = { event: "status_changed", application_name: "application 1", application_uuid: application.uuid }
      const degraded = {
        success: false,
        message: "Application application 1 is degraded: not all of its containers run as they should.",
        ...facts,
        status: "degraded"
      }
      assert.deepStrictEqual(yield* documents, [degraded])
      isBroken = false
      yield* pass(700)
      assert.deepStrictEqual(yield* documents, [
        degraded,
        { success: true, message: "Application application 1 runs again.", ...facts, status: "running" }
      ])
    }).pipe(Effect.provide(world))
  )

  it.effect("report once that a database could not be started, for any number of attempts", () =>
    Effect.gen(function* () {
      yield* enableWebhook(["status_change"])
      const simulation = yield* EngineSimulation
      let isBroken = true
      yield* simulation.publish("postgres:17-alpine")
      yield* simulation.onCall((_, operation) =>
        Effect.suspend(() =>
          operation === "start" && isBroken ? Effect.fail(new EngineRefused({ because: "no space" })) : Effect.void
        )
      )
      yield* startWorker()
      const database = yield* plantDatabase(yield* place(), { name: "orders" })
      assert.strictEqual((yield* runDatabase(database)).state, "failed")
      assert.strictEqual((yield* runDatabase(database)).state, "failed")
      isBroken = false
      assert.strictEqual((yield* runDatabase(database)).state, "done")
      assert.strictEqual((yield* runDatabase(database)).state, "done")
      yield* settle(database)
      assert.deepStrictEqual(yield* texts, ["Database orders could not be started.", "Database orders runs again."])
    }).pipe(Effect.provide(world))
  )

  it.effect("report once that a server did not answer two checks in a row, and once that it answers again", () =>
    Effect.gen(function* () {
      yield* enableWebhook(["server_reachable", "server_unreachable"])
      yield* deployed
      yield* startKeeping()
      yield* startKeeping()
      yield* pass(5)
      const { cutOff } = yield* EngineSimulation
      yield* cutOff(server, "no route to 10.0.0.7")
      yield* pass(15)
      yield* cutOff(server, null)
      yield* pass(60)
      assert.deepStrictEqual(yield* documents, [])
      yield* cutOff(server, "no route to 10.0.0.7")
      yield* pass(200)
      const facts = { server_name: "server 1", server_uuid: server }
      const unreachable = {
        success: false,
        message: "The server server 1 does not answer.",
        event: "server_unreachable",
        ...facts
      }
      assert.deepStrictEqual(yield* documents, [unreachable])
      yield* cutOff(server, null)
      yield* pass(200)
      assert.deepStrictEqual(yield* documents, [
        unreachable,
        { success: true, message: "The server server 1 answers again.", event: "server_reachable", ...facts }
      ])
    }).pipe(Effect.provide(world))
  )
})

describe("notifications of scheduled work", () => {
  const rare: Partial<Server> = {
    diskCheckFrequency: "every_minute",
    cleanupFrequency: "yearly",
    createdAt: "1970-01-01T00:00:00.000Z"
  }

  it.effect("report a full disk once an hour", () =>
    Effect.gen(function* () {
      yield* enableWebhook(["server_disk_usage"])
      yield* place(rare)
      yield* (yield* EngineSimulation).fill(server, { used: 900, free: 100 })
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* startWorker()
      yield* pass(190)
      const full = {
        success: false,
        message: "The disk of the server server 1 is 90 % full (threshold: 80 %).",
        event: "high_disk_usage",
        server_name: "server 1",
        server_uuid: server,
        disk_usage: 90,
        threshold: 80
      }
      assert.deepStrictEqual(yield* documents, [full])
      yield* TestClock.adjust("57 minutes")
      yield* pass(130)
      assert.deepStrictEqual(yield* documents, [full, full])
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("report the results of cleanups", () =>
    Effect.gen(function* () {
      yield* enableWebhook(["docker_cleanup_failure", "docker_cleanup_success"])
      yield* place({ cleanupFrequency: "yearly", diskCheckFrequency: "yearly" })
      const found = (yield* (yield* ServerStore).find(server)) ?? assert.fail("it exists")
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* startWorker()
      yield* Cleanups.run(system("server.cleanup.run", { server: found }))
      yield* pass(20)
      yield* (yield* EngineSimulation).cutOff(server, "no route")
      yield* Cleanups.run(system("server.cleanup.run", { server: found }))
      yield* pass(20)
      const facts = { server_name: "server 1", server_uuid: server }
      assert.deepStrictEqual(yield* documents, [
        {
          success: true,
          message: "Cleanup of the server server 1 succeeded.",
          event: "docker_cleanup_success",
          ...facts
        },
        { success: false, message: "Cleanup of the server server 1 failed.", event: "docker_cleanup_failed", ...facts }
      ])
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("report the results of scheduled tasks, without their output", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver
      yield* enableWebhook(["scheduled_task_failure", "scheduled_task_success"])
      const { application } = yield* deployed
      yield* (yield* EngineSimulation).onBuild(() => ({
        image: { command: () => ({ exitCode: 0, output: [] }) }
      }))
      const task = yield* ScheduledTasks.create(system("task.create", { application }), {
        name: "nightly",
        command: "echo s3cr3t-output",
        frequency: "yearly",
        container: "none",
        timeout: 30,
        isEnabled: true
      })
      yield* Effect.forkScoped(Pipeline.runTasks(settings))
      yield* ScheduledTasks.execute(system("task.execute", { application, task }))
      yield* pass(5)
      assert.deepStrictEqual(yield* documents, [
        {
          success: false,
          message: "Scheduled task nightly of application 1 failed.",
          event: "task_failed",
          task_name: "nightly",
          task_uuid: task.uuid,
          application_name: "application 1",
          application_uuid: application.uuid
        }
      ])
      assert.notInclude(receiver.seen.join(), "s3cr3t-output")
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("report the results of backups, without their output", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver
      yield* enableWebhook(["backup_failure", "backup_success"])
      let exitCode = 0
      const output = [{ stream: "stderr" as const, text: "password hunter2 rejected" }]
      yield* (yield* EngineSimulation).publish("postgres:17-alpine", { command: () => ({ exitCode, output }) })
      yield* startWorker()
      const database = yield* runDatabase(yield* plantDatabase(yield* place(), { name: "orders" }))
      yield* Effect.forkScoped(Pipeline.runBackups(settings))
      const input = { ...defaultBackup, frequency: "yearly", keeps: 2, timeout: 60 }
      const backup = yield* Backups.create(system("database.backup.create", { database }), input, true)
      yield* pass(5)
      exitCode = 1
      yield* Backups.update(system("database.backup.update", { database, backup }), {}, true)
      yield* pass(5)
      const facts = {
        database_name: "orders",
        database_uuid: database.uuid,
        database_type: "postgresql",
        backup_uuid: backup.uuid,
        frequency: "yearly"
      }
      assert.deepStrictEqual(yield* documents, [
        { success: true, message: "Backup of the database orders succeeded.", event: "backup_success", ...facts },
        { success: false, message: "Backup of the database orders failed.", event: "backup_failed", ...facts }
      ])
      assert.notInclude(receiver.seen.join(), "hunter2")
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})
