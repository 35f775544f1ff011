import { assert, describe, it } from "@effect/vitest"
import { Applications, Deployments } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { now } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  DeletionStore,
  type Deployment,
  DeploymentStore,
  hasEnded,
  ReleaseStore
} from "@slipway/domain/deploy/apps"
import { EngineSimulation, ProxySimulation } from "@slipway/memory/deploy"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Fiber, Schema } from "effect"
import { runs } from "../../../../../scripts/vitest/runs.ts"
import { describeRandomRuns } from "./support/randomRuns.ts"
import { Gate, pass, place, plantApplication, startKeeping, startWorker, visit } from "./support/support.ts"

const both = [1, 2] as const
const OneOfTwo = Schema.Literals(both)

/** An event for two applications, two servers and two processes. */
const Command = Schema.Union([
  Schema.Struct({ do: Schema.Literals(["deploy", "move"]), which: OneOfTwo }),
  Schema.Struct({ do: Schema.Literals(["deploy", "restart", "stop", "cancel"]), which: OneOfTwo }),
  Schema.Struct({
    do: Schema.Literals(["cut off", "bring back", "start over", "lose routes", "delete"]),
    which: OneOfTwo
  }),
  Schema.Struct({ do: Schema.Literals(["kill", "end", "start"]), which: OneOfTwo }),
  Schema.Struct({ do: Schema.Literal("wait"), seconds: Schema.Literals([0.3, 1]) }),
  Schema.Struct({ do: Schema.Literal("wait"), seconds: Schema.Literals([3, 10, 30]) })
])
type Command = typeof Command.Type

const serverOf = (n: number) => uuidOf<Deployment["serverUuid"]>("server", n)
const flags = { deleteConfigurations: true, deleteVolumes: true, dockerCleanup: true, deleteConnectedNetworks: true }

/** A process with a worker and a route check. */
const startProcess = Effect.fnUntraced(function* (alone: boolean) {
  return [yield* startWorker({ keptReleases: 2, alone }), yield* startKeeping()]
})

const change = Effect.fnUntraced(function* (what: string, { uuid }: Application) {
  const present = yield* (yield* ApplicationStore).find(uuid)
  if (present === undefined) return
  const elsewhere = present.placement.serverUuid === serverOf(1) ? serverOf(2) : serverOf(1)
  const deployments = yield* DeploymentStore
  if (what === "deploy") yield* Deployments.deploy(yield* systemOn("application.deploy", { uuid }), false)
  if (what === "restart") yield* Deployments.restart(yield* systemOn("application.deploy", { uuid }))
  if (what === "stop") yield* Deployments.stop(yield* systemOn("application.deploy", { uuid }))
  if (what === "move")
    yield* Applications.update(yield* systemOn("application.update", { uuid }), { server_uuid: elsewhere })
  if (what === "delete") yield* Applications.remove(yield* systemOn("application.delete", { uuid }), flags)
  if (what === "cancel") {
    const [newest] = yield* deployments.ofApplication(uuid, { limit: 1 })
    if (newest !== undefined) yield* deployments.requestCancel(newest.uuid, yield* now)
  }
})

/** Runs commands, and waits until all work has ended. */
const happen = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
  const planted = yield* place({ concurrentBuilds: 2 })
  yield* place({ concurrentBuilds: 2 }, 2)
  const rows = yield* Effect.forEach(both, (n) =>
    plantApplication(planted, n, n === 1 ? { ports_mappings: "9000:3000" } : {})
  )
  const simulation = yield* EngineSimulation
  const proxies = yield* ProxySimulation
  const { endInOrder } = yield* Gate
  const processes: Array<ReadonlyArray<Fiber.Fiber<never>> | undefined> = [yield* startProcess(true), undefined]
  for (const command of commands) {
    if (command.do === "wait") {
      yield* pass(command.seconds)
      continue
    }
    const [at, server] = [command.which - 1, serverOf(command.which)]
    if (command.do === "cut off") yield* simulation.cutOff(server, "the cable is cut")
    else if (command.do === "bring back") yield* simulation.cutOff(server, null)
    else if (command.do === "start over") yield* simulation.startOver(server)
    else if (command.do === "lose routes") yield* proxies.startOver(server)
    else if (command.do === "start")
      processes[at] ??= yield* startProcess(processes.every((each) => each === undefined))
    else if (command.do === "kill" || command.do === "end") {
      yield* Effect.forEach(processes[at] ?? [], command.do === "kill" ? Fiber.interrupt : endInOrder)
      processes[at] = undefined
    } else yield* change(command.do, rows[at] ?? assert.fail("no such application"))
  }
  for (const n of both) yield* simulation.cutOff(serverOf(n), null)
  yield* startProcess(false)
  const all = (yield* DeploymentStore).list({ limit: 1_000 })
  for (let waited = 0; waited < 300 && (yield* all).some(({ status }) => !hasEnded(status)); waited++) yield* pass(1)
  // Deletions are retried with backoff, and routes are checked at intervals.
  yield* pass(700)
  return rows
})

const checkEnd = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
  const rows = yield* happen(commands)
  const simulation = yield* EngineSimulation
  const releases = yield* ReleaseStore
  const deployments = yield* (yield* DeploymentStore).list({ limit: 1_000 })
  for (const { reason, status } of deployments) {
    assert.include(["finished", "cancelled", "failed"], status)
    if (status !== "failed") continue
    assert.include(["the application was deleted", "the application now serves on another server"], reason)
  }
  const inventories = yield* Effect.forEach(both, (n) => simulation.inventory(serverOf(n)))
  for (const [at, { uuid }] of rows.entries()) {
    const serving = yield* releases.serving(uuid)
    const isThere = (yield* (yield* ApplicationStore).find(uuid)) !== undefined
    for (const [index, { containers, images }] of inventories.entries()) {
      const isHere = serving?.serverUuid === serverOf(index + 1)
      const mine = containers.filter(({ owner }) => owner.application === uuid)
      assert.deepStrictEqual(
        mine.map(({ owner, state }) => [owner.deployment, state]),
        isHere ? [[serving.deploymentUuid, "running"]] : []
      )
      if (!isThere) assert.isFalse(images.some(({ tags }) => tags.some((tag) => tag.includes(uuid))))
      const answer = yield* visit(at + 1, index + 1)
      if (isHere) assert.strictEqual(answer, serving.deploymentUuid)
      else assert.include(isThere && serving === undefined ? [404, 503] : [404], answer)
    }
  }
  const waiting = (yield* (yield* DeletionStore).list({ limit: 1_000 })).filter(({ status }) => status !== "finished")
  for (const { applicationUuid, serverUuid } of waiting) {
    assert.strictEqual((yield* releases.serving(applicationUuid))?.serverUuid, serverUuid)
  }
})

describe("applications", () => {
  it.effect(
    "run only on their latest server after random failures of applications, servers and workers",
    () =>
      Effect.gen(function* () {
        const failure = yield* describeRandomRuns(Command, { runs: runs(10), minLength: 20, maxLength: 40 }, checkEnd)
        assert.isUndefined(failure)
      }),
    120_000
  )
})
