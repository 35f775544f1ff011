import { assert, it } from "@effect/vitest"
import { DatabaseStatus, Databases } from "@slipway/deploy/databases"
import type { Application } from "@slipway/domain/deploy/apps"
import { ContainerEngine } from "@slipway/domain/deploy/containers"
import type { Database } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { seed } from "../../../../../../scripts/vitest/runs.ts"
import { plantDatabase, runDatabase, shownDatabase } from "../support/databaseSupport.ts"
import {
  pass,
  passUntilEnded,
  place,
  plantApplication,
  queue,
  server,
  startKeeping,
  startWorker,
  visit,
  world
} from "../support/support.ts"

const [applications, databases, kills] = [30, 5, 10]

/** How many seconds everything may take to serve again after the engine is back. */
const most = 60

/** Returns a function that returns whole numbers below a limit, always the same ones for a seed. */
const randomFrom = (start: number) => {
  let state = start >>> 0
  return (limit: number): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** Starts the platform; `kill` ends it like `kill -9`. */
const startPlatform = Effect.gen(function* () {
  const fibers = [yield* startWorker({ alone: true }), yield* startKeeping()]
  return { kill: Fiber.interruptAll(fibers) }
})

/** Ends every container without a restart, as an engine leaves them that starts none after the machine. */
const killContainers = Effect.gen(function* () {
  const engines = yield* ContainerEngine
  const engine = yield* Effect.scoped(engines.open({ _tag: "Local", server, socket: null, connectionTimeout: 5 }))
  const { containers } = yield* (yield* EngineSimulation).inventory(server)
  for (const { name, owner, state } of containers) {
    if (state === "running") yield* engine.kill({ application: owner.application, name })
  }
})

/** Returns the names of everything that does not serve. */
const missing = Effect.fnUntraced(function* (apps: ReadonlyArray<Application>, stores: ReadonlyArray<Database>) {
  const names: Array<string> = []
  for (const n of apps.keys()) {
    // A page contains the uuid of its deployment; another answer is a status.
    if (typeof (yield* visit(n + 1)) !== "string") names.push(`application ${n + 1}`)
  }
  for (const [n, store] of stores.entries()) {
    const database = yield* shownDatabase(store)
    const word = yield* DatabaseStatus.read(system("database.read", { database }))
    if (word !== "running:healthy") names.push(`database ${n + 1} (${word})`)
  }
  return names
})

it.effect("30 applications and 5 databases serve again after each of ten power cuts at random moments", () =>
  Effect.gen(function* () {
    const random = randomFrom(seed)
    const simulation = yield* EngineSimulation
    yield* simulation.publish("postgres:17-alpine")
    const there = yield* place({ concurrentBuilds: applications })
    let platform = yield* startPlatform
    const apps = yield* Effect.forEach(Array.from({ length: applications }), (_, n) => plantApplication(there, n + 1))
    const first = yield* Effect.forEach(apps, (application, n) => queue(n + 1, application))
    for (const deployment of first) yield* passUntilEnded(deployment, 60)
    const stores = yield* Effect.forEach(Array.from({ length: databases }), () =>
      Effect.flatMap(plantDatabase(there), runDatabase)
    )
    assert.deepStrictEqual(yield* missing(apps, stores), [])

    let queued = applications
    for (let cut = 1; cut <= kills; cut++) {
      const label = `power cut ${cut} with SLIPWAY_TEST_SEED=${seed}`
      // Work is in progress at the moment of the cut.
      for (let n = 0; n < 3; n++) {
        const application = apps[random(applications)]
        if (application !== undefined) yield* queue(++queued, application)
      }
      const store = stores[random(databases)]
      if (store !== undefined) {
        const database = yield* shownDatabase(store)
        yield* Databases.restart(system("database.deploy", { database }))
      }
      for (let tenths = random(80); tenths > 0; tenths--) yield* pass(0.1)
      // Everything ends together; the engine and the platform return in any order.
      yield* simulation.cutOff(server, "the machine is off")
      yield* platform.kill
      yield* simulation.startOver(server)
      yield* simulation.cutOff(server, null)
      const isStopped = random(2) === 0
      if (isStopped) yield* killContainers
      yield* simulation.cutOff(server, "the machine is off")
      const isEngineFirst = random(2) === 0
      if (!isEngineFirst) platform = yield* startPlatform
      yield* TestClock.adjust(`${1 + random(20)} seconds`)
      yield* simulation.cutOff(server, null)
      if (isEngineFirst) platform = yield* startPlatform
      yield* pass(0.1)
      let left = yield* missing(apps, stores)
      assert.isAtLeast(left.length, isStopped ? 1 : 0, `nothing was cut by ${label}`)
      let seconds = 0
      for (; left.length > 0 && seconds < most; seconds++) {
        yield* pass(1)
        left = yield* missing(apps, stores)
      }
      assert.deepStrictEqual(left, [], `not serving ${most} seconds after ${label}`)
    }
    // A late repair must not break what serves.
    yield* pass(60)
    assert.deepStrictEqual(yield* missing(apps, stores), [], `with SLIPWAY_TEST_SEED=${seed}`)
  }).pipe(Effect.provide(world))
)
