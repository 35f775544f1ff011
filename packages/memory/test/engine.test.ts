import { assert, describe, it } from "@effect/vitest"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  archiveOfFiles,
  type CommandResult,
  ContainerEngine,
  type ContainerSpec,
  containerName,
  containerSpec,
  credentialsFor,
  noOptions,
  type Owner,
  type ServerAccess
} from "@slipway/domain/deploy/containers"
import { EngineSimulation, ends, engineLayer, type ImageBehaviour, type Program, runs } from "@slipway/memory/deploy"
import { register } from "@slipway/testkit"
import { Contracts, EngineWorld, uuidOf } from "@slipway/testkit/deploy"
import { Duration, Effect, Fiber, Layer, Redacted, Ref, Stream } from "effect"

const accessTo = (n: number): ServerAccess => ({
  _tag: "Local",
  server: uuidOf("server", n),
  socket: null,
  connectionTimeout: 1
})

const said = (stream: "stdout" | "stderr") => (text: string) => ({ stream, text })

/** The programs of the contract, by their first argument. */
const program = ([name = "", ...values]: ReadonlyArray<string>): Program => {
  switch (name) {
    case "says": {
      const [stdout = [], stderr = []] = values.map((value) => JSON.parse(value) as ReadonlyArray<string>)
      return { lines: [...stdout.map(said("stdout")), ...stderr.map(said("stderr"))] }
    }
    case "long":
      return { lines: (values[0] ?? "").match(/.{1,16384}/g)?.map(said("stdout")) ?? [] }
    case "slow":
      return { lines: [said("stdout")("first"), said("stdout")("second")], exitCode: 0, after: 0.05 }
    default:
      return { exitCode: Number(values[0]) }
  }
}

const files = new Map<string, Uint8Array>()

const busybox: ImageBehaviour = {
  file: (path, bytes) => files.set(path, bytes),
  archive: (path) => {
    const bytes = files.get(path)
    const entries = { [path.slice(1)]: new TextDecoder().decode(bytes) }
    return bytes && Effect.runSync(Stream.mkUint8Array(archiveOfFiles(entries)))
  },
  program: ({ command, healthCheck }) => {
    const [check, , output] = healthCheck === "disabled" ? [] : (healthCheck?.command ?? [])
    return { ...program(command ?? []), ...(check === "fails" && output !== undefined ? { unhealthy: output } : {}) }
  },
  command: ({ argv: [name, value = "", line = ""] }, { environment }): CommandResult => {
    const variable = environment.find(([each]) => each === value)?.[1]
    switch (name) {
      case "variable":
        return {
          exitCode: 0,
          output: (variable === undefined ? "" : Redacted.value(variable)).split("\n").map(said("stdout"))
        }
      case "echo":
        return { exitCode: 0, output: [said("stdout")(value)] }
      case "read":
        return { exitCode: 0, output: [said("stdout")(new TextDecoder().decode(files.get(value)))] }
      case "fails":
        return { exitCode: Number(value), output: [said("stderr")(line)] }
      default:
        return { exitCode: 127, output: [] }
    }
  }
}

const nowhere = accessTo(404)
const reference = "registry.example/team/app:1"
const credentials = { registry: "registry.example", username: "user", password: Redacted.make("password") }

const world = Layer.effect(
  EngineWorld,
  Effect.gen(function* () {
    const simulation = yield* EngineSimulation
    yield* simulation.publish("busybox:1", busybox)
    yield* simulation.publish(reference, { wants: credentials })
    yield* simulation.cutOff(nowhere.server, "nobody is there")
    yield* simulation.onBuild((options, context) => {
      const outcome = new TextDecoder().decode(context)
      const isClosed = credentialsFor(options.credentials, reference) === undefined
      const lines = options.arguments.map(([, value]) => Redacted.value(value))
      return {
        lines,
        image: { ...busybox, ports: [8080] },
        ...(outcome === "fails" ? { fails: "the second step failed" } : {}),
        ...(outcome === "closed" && isClosed ? { fails: "unauthorized" } : {}),
        hangs: outcome === "hangs",
        stages: outcome === "staged" ? 2 : 0
      }
    })
    const engine = yield* (yield* ContainerEngine).open(accessTo(1))
    yield* Stream.runDrain(engine.pull("busybox:1"))
    return {
      access: accessTo(1),
      nowhere,
      application: (n): ApplicationUuid => uuidOf("application", n),
      image: "busybox:1",
      programs: {
        says: (stdout, stderr) => ["says", JSON.stringify(stdout), JSON.stringify(stderr)],
        saysLong: (length) => ["long", "x".repeat(length)],
        ends: (exitCode) => ["ends", String(exitCode)],
        slow: ["slow"]
      },
      commands: {
        variable: (name) => ({ argv: ["variable", name] }),
        echo: (text) => ({ argv: ["echo", text] }),
        read: (path) => ({ argv: ["read", path] }),
        fails: (exitCode, line) => ({ argv: ["fails", String(exitCode), line] }),
        shell: { argv: ["sh"] }
      },
      lastingLine: "wait",
      isLasting: Effect.map(simulation.inventory(accessTo(1).server), ({ terminals }) => terminals > 0),
      archive: (outcome) => Stream.make(new TextEncoder().encode(outcome)),
      isBuilding: Effect.map(simulation.inventory(accessTo(1).server), ({ building }) => building > 0),
      published: { reference, credentials }
    }
  })
)

register("memory", Layer.provideMerge(world, engineLayer), [Contracts.engine])

describe("EngineSimulation", () => {
  const application = uuidOf<ApplicationUuid>("application", 1)
  const owner: Owner = { application, deployment: uuidOf("deployment", 1), service: null }
  const name = containerName(owner)
  const server = uuidOf<ServerAccess["server"]>("server", 1)
  const opened = Effect.gen(function* () {
    const simulation = yield* EngineSimulation
    const engine = yield* (yield* ContainerEngine).open(accessTo(1))
    return { simulation, engine }
  })
  const started = (behaviour: ImageBehaviour, facts: Partial<ContainerSpec> = {}) =>
    Effect.gen(function* () {
      const { engine, simulation } = yield* opened
      yield* simulation.publish("app:1", behaviour)
      yield* Stream.runDrain(engine.pull("app:1"))
      yield* engine.create(containerSpec({ owner, name, image: "app:1", ...facts }))
      yield* engine.start({ application, name })
      return { engine, simulation, ref: { application, name } }
    })

  it.live("runs scripted programs, and lets a test crash them", () =>
    Effect.gen(function* () {
      const { engine, ref, simulation } = yield* started({ program: () => runs("ready") })
      yield* simulation.write(server, application, name, { stream: "stderr", text: "oh" })
      yield* simulation.crash(server, application, name, 9)
      assert.strictEqual(yield* engine.wait(ref), 9)
      const lines = yield* Stream.runCollect(engine.logs(ref))
      assert.deepStrictEqual(
        lines.map(({ text }) => text),
        ["ready", "oh"]
      )
      const [container] = (yield* simulation.inventory(server)).containers
      assert.strictEqual(container?.state, "exited")
      assert.strictEqual(container?.spec.image, "app:1")
    }).pipe(Effect.provide(engineLayer))
  )

  it.live("stops programs when they exit, and kills programs that ignore the stop after the grace period", () =>
    Effect.gen(function* () {
      const { engine, ref } = yield* started(
        { program: () => ({ stubborn: true }) },
        { options: { ...noOptions, stopTimeout: 1 } }
      )
      const [took] = yield* Effect.timed(engine.stop(ref))
      assert.isAtLeast(Duration.toMillis(took), 990)
      assert.strictEqual((yield* engine.inspect(ref)).exitCode, 137)
      yield* engine.remove(ref)
      const broken = yield* started({ program: () => ends(1, "broken") })
      assert.strictEqual(yield* broken.engine.wait(ref), 1)
    }).pipe(Effect.provide(engineLayer))
  )

  it.live("lets a test fail, delay and count calls", () =>
    Effect.gen(function* () {
      const { engine, simulation } = yield* opened
      const calls = yield* Ref.make<ReadonlyArray<string>>([])
      yield* simulation.onCall((_, operation) =>
        Effect.andThen(
          Ref.update(calls, (before) => [...before, operation]),
          operation === "list" ? Effect.never : Effect.void
        )
      )
      yield* engine.info
      const listing = yield* Effect.forkChild(engine.list({ application }), { startImmediately: true })
      assert.deepStrictEqual(yield* Ref.get(calls), ["info", "list"])
      yield* Fiber.interrupt(listing)
      yield* simulation.cutOff(server, "the cable is cut")
      const failure = yield* Effect.flip(engine.info)
      assert.strictEqual(failure._tag === "EngineUnreachable" ? failure.because : "", "the cable is cut")
      yield* simulation.cutOff(server, null)
      yield* engine.info
    }).pipe(Effect.provide(engineLayer))
  )
})
