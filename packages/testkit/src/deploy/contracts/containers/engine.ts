import { assert } from "@effect/vitest"
import { ContainerEngine } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { EngineWorld } from "../../engineWorld.ts"
import { containers } from "./engine/containers.ts"
import { images } from "./engine/images.ts"
import { programs } from "./engine/programs.ts"
import { type EngineTested, eventually, openEngine } from "./engine/support.ts"

/** Contract tests of container engines. Every implementation must pass them. */
export const engine: Contract<EngineTested> = {
  port: "ContainerEngine",
  musts: {
    "report the product and version of the engine": Effect.gen(function* () {
      const { engine } = yield* openEngine
      const info = yield* engine.info
      assert.match(info.version, /^\d+\.\d+/)
      assert.match(info.apiVersion, /^1\.\d+$/)
      assert.isAbove(info.cpus, 0)
      assert.isAbove(info.memory, 1_000_000)
    }),
    "report a missing engine": Effect.gen(function* () {
      const { nowhere } = yield* EngineWorld
      const failure = yield* Effect.flip((yield* ContainerEngine).open(nowhere))
      assert.strictEqual(failure._tag, "EngineUnreachable")
      assert.isAbove(failure._tag === "EngineUnreachable" ? failure.because.length : 0, 5)
    }),
    ...images,
    ...containers,
    ...programs,
    "check the health of a container on request": Effect.gen(function* () {
      const { engine, run, spec } = yield* openEngine
      const healthCheck = { command: ["true"], interval: 3_600, timeout: 5, retries: 3, startPeriod: 0 }
      const ref = yield* run(spec(1, 1, { healthCheck }))
      yield* eventually(
        Effect.andThen(engine.probeHealth(ref), engine.inspect(ref)),
        ({ health }) => health === "healthy"
      )
      assert.strictEqual((yield* engine.inspect(ref)).healthInterval, 3_600)
      yield* engine.remove(ref)
      assert.strictEqual((yield* Effect.flip(engine.probeHealth(ref)))._tag, "ContainerNotFound")
    }),
    "list the running containers with a failing health check": Effect.gen(function* () {
      const { engine, run, spec, world } = yield* openEngine
      const check = { interval: 3_600, timeout: 5, retries: 1, startPeriod: 0 }
      const { argv } = world.commands.fails(1, "no answer")
      const failing = yield* run(spec(1, 1, { healthCheck: { ...check, command: argv } }))
      const healthy = yield* run(spec(1, 2, { healthCheck: { ...check, command: ["true"] } }))
      const names = Effect.map(engine.unhealthy, (listed) => listed.map(({ name }) => name))
      const found = yield* eventually(
        Effect.andThen(Effect.andThen(engine.probeHealth(healthy), engine.probeHealth(failing)), engine.unhealthy),
        (listed) => listed.some(({ name }) => name === failing.name)
      )
      const { owner } = found.find(({ name }) => name === failing.name) ?? assert.fail("it is listed")
      assert.strictEqual(owner.application, failing.application)
      assert.strictEqual((yield* engine.inspect(failing)).healthOutput, "no answer")
      assert.notInclude(yield* names, healthy.name)
      yield* engine.kill(failing)
      assert.notInclude(yield* names, failing.name)
      for (const each of [failing, healthy]) yield* engine.remove(each)
    }),
    "create networks and volumes once, and remove unused ones": Effect.gen(function* () {
      const { engine, refOf, run, spec, world } = yield* openEngine
      const application = world.application(1)
      const [network, volume, shared] = [`${application}-net`, `${application}_data`, `${application}-shared`]
      const many = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.all(
          Array.from({ length: 3 }, () => effect),
          { concurrency: "unbounded" }
        )
      yield* many(engine.ensureNetwork(network, application))
      yield* many(engine.ensureVolume(application, volume))
      yield* engine.ensureNetwork(shared, null)
      yield* engine.ensureNetwork(shared, null)
      assert.deepStrictEqual(yield* engine.listNetworks(application), [{ name: network, application }])
      const all = yield* engine.listNetworks(null)
      assert.deepInclude(all, { name: network, application })
      assert.isTrue(all.every((each) => each.application !== null))
      assert.deepStrictEqual(yield* engine.listVolumes(application), [{ name: volume, application }])
      assert.deepStrictEqual(yield* engine.inspectNetwork(shared), { name: shared, application: null })
      assert.strictEqual((yield* Effect.flip(engine.inspectNetwork(`${network}-no`)))._tag, "NetworkNotFound")
      assert.strictEqual((yield* Effect.flip(engine.ensureNetwork("host", null)))._tag, "NameTaken")
      assert.isFalse(yield* engine.removeNetwork(application, shared))

      const other = `${application}_other`
      const mount = (name: string, target: string) =>
        ({ source: { _tag: "Volume", name }, target, readOnly: false }) as const
      const wanted = spec(1, 1, {
        networks: [{ network, aliases: ["web"] }],
        mounts: [mount(volume, "/data"), mount(other, "/other")]
      })
      yield* run(wanted)
      assert.deepStrictEqual((yield* engine.inspect(refOf(wanted))).mounts, { "/data": volume, "/other": other })
      assert.strictEqual((yield* Effect.flip(engine.removeNetwork(application, network)))._tag, "ResourceInUse")
      assert.strictEqual((yield* Effect.flip(engine.removeVolume(application, volume)))._tag, "ResourceInUse")
      yield* engine.remove(refOf(wanted))
      assert.deepStrictEqual(
        (yield* engine.listVolumes(application)).map(({ name }) => name),
        [volume, other]
      )
      assert.isTrue(yield* engine.removeNetwork(application, network))
      assert.isFalse(yield* engine.removeNetwork(application, network))
      for (const name of [volume, other]) assert.isTrue(yield* engine.removeVolume(application, name))
      assert.isFalse(yield* engine.removeVolume(application, volume))
      assert.deepStrictEqual(yield* engine.listVolumes(application), [])
    })
  }
}
