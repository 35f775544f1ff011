import { readdirSync, readFileSync } from "node:fs"
import type { Duplex } from "node:stream"
import { assert, it } from "@effect/vitest"
import { layerContainerEngine } from "@slipway/docker"
import { startPodman } from "@slipway/docker/testing"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import { ContainerEngine, containerName, containerSpec } from "@slipway/domain/deploy/containers"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { Effect, Exit, Layer, Schedule, Scope } from "effect"
import { connect } from "../src/client.ts"
import { terminalOf } from "../src/terminal.ts"

const ssh = Layer.provide(layerSshConnections, memory)
const engineLayer = Layer.merge(Layer.provide(layerContainerEngine, ssh), ssh)

const application = "term00000000000000000001" as ApplicationUuid
const owner = { application, deployment: "deployment00000000000001" as DeploymentUuid, service: null }
const name = containerName(owner)
const marker = "7130911"

const isRunning = Effect.sync(() =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(marker)
      } catch {
        // It exited in between.
        return false
      }
    })
)

const until = (wanted: boolean) =>
  Effect.repeat(isRunning, { until: (is) => is === wanted, schedule: Schedule.spaced("50 millis") }).pipe(
    Effect.timeout("20 seconds")
  )

// Prevents: a killed platform leaves the shells of its users in containers.
it.live("a terminal is killed by its watchdog if only its connections break", () =>
  Effect.gen(function* () {
    const { access, image } = yield* startPodman
    const engine = yield* (yield* ContainerEngine).open(access)
    const command = ["sh", "-c", "trap 'exit 0' TERM; while true; do sleep 0.05; done"]
    yield* engine.create({ ...containerSpec({ owner, name, image }), command })
    yield* engine.start({ application, name })
    const api = yield* connect(access)
    const sockets: Array<Duplex> = []
    const hijack: typeof api.hijack = (question) =>
      Effect.tap(api.hijack(question), (socket) => Effect.sync(() => sockets.push(socket)))
    const scope = yield* Scope.make()
    const terminal = yield* terminalOf({ ...api, hijack })
      .terminal({ application, name }, { argv: ["sh"] }, { columns: 80, rows: 24 })
      .pipe(Scope.provide(scope))
    yield* terminal.write(new TextEncoder().encode(`nohup sleep ${marker} & sleep ${marker}\r`))
    yield* until(true)
    for (const socket of sockets) socket.destroy()
    yield* until(false)
    assert.strictEqual(sockets.length, 2)
    yield* Scope.close(scope, Exit.void)
    yield* engine.remove({ application, name })
  }).pipe(Effect.scoped, Effect.provide(engineLayer))
)
