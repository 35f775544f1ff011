import { assert } from "@effect/vitest"
import { containerName, label, noOptions, usualStopTimeout } from "@slipway/domain/deploy/containers"
import { Effect, Fiber } from "effect"
import type { Promised } from "../../../../contract.ts"
import { deployment, type EngineTested, eventually, openEngine } from "./support.ts"

/** Contract tests of container engines: creation, start, stop and removal of containers. */
export const containers: Readonly<Record<string, Promised<EngineTested>>> = {
  "create a container once, even if requested repeatedly": Effect.gen(function* () {
    const { engine, refOf, spec, world } = yield* openEngine
    yield* engine.ensureNetwork(`${world.application(1)}-a`, world.application(1))
    yield* engine.ensureNetwork(`${world.application(1)}-b`, world.application(1))
    const networks = ["a", "b"].map((name) => ({ network: `${world.application(1)}-${name}`, aliases: [name] }))
    const wanted = spec(1, 1, { networks })
    const [first, ...others] = yield* Effect.all(
      Array.from({ length: 4 }, () => engine.create(wanted)),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(first?.name, containerName(wanted.owner))
    assert.deepStrictEqual(first?.owner, wanted.owner)
    for (const other of others) assert.strictEqual(other.id, first?.id)
    assert.strictEqual((yield* engine.create(wanted)).id, first?.id)
    assert.deepStrictEqual(
      (yield* engine.list({ application: world.application(1) })).map(({ id }) => id),
      [first?.id]
    )
    yield* engine.start(refOf(wanted))
    const details = yield* engine.inspect(refOf(wanted))
    assert.sameMembers(
      Object.keys(details.addresses),
      networks.map(({ network }) => network)
    )
    yield* engine.remove(refOf(wanted))
    for (const { network } of networks) yield* engine.removeNetwork(world.application(1), network)
  }),

  "reject a taken name, a missing image and a missing or forbidden network": Effect.gen(function* () {
    const { engine, refOf, spec, world } = yield* openEngine
    const wanted = spec(1, 1)
    yield* engine.create(wanted)
    const refused = (each: typeof wanted) => Effect.map(Effect.flip(engine.create(each)), ({ _tag }) => _tag)
    assert.strictEqual(yield* refused(spec(2, 2, { name: wanted.name })), "NameTaken")
    assert.strictEqual(yield* refused(spec(1, 2, { name: wanted.name })), "NameTaken")
    assert.strictEqual(yield* refused(spec(1, 3, { image: "slipway/missing:1" })), "ImageNotFound")
    for (const network of [`${world.application(1)}-missing`, "host", "none", `container:${wanted.name}`]) {
      assert.strictEqual(yield* refused(spec(1, 4, { networks: [{ network, aliases: [] }] })), "NetworkNotFound")
    }
    assert.strictEqual((yield* engine.list({ application: world.application(1) })).length, 1)
    yield* engine.remove(refOf(wanted))
  }),

  "stop each container within the grace period that it was created with": Effect.gen(function* () {
    const { engine, refOf, spec } = yield* openEngine
    const wanted = [spec(1, 1), spec(1, 2, { options: { ...noOptions, stopTimeout: 7 } })]
    for (const each of wanted) yield* engine.create(each)
    const shown = yield* Effect.forEach(wanted, (each) => engine.inspect(refOf(each)))
    assert.deepStrictEqual(
      shown.map(({ stopTimeout }) => stopTimeout),
      [usualStopTimeout, 7]
    )
    for (const each of wanted) yield* engine.remove(refOf(each))
  }),

  "start, stop and remove a container, even if requested repeatedly": Effect.gen(function* () {
    const { engine, refOf, spec } = yield* openEngine
    const wanted = spec(1, 1, { options: { ...noOptions, stopTimeout: 1 } })
    const ref = refOf(wanted)
    const state = Effect.map(engine.inspect(ref), (details) => details.state)
    yield* engine.create(wanted)
    assert.strictEqual(yield* state, "created")
    yield* engine.stop(ref)
    yield* engine.kill(ref)
    assert.strictEqual((yield* engine.inspect(ref)).startedAt, null)
    yield* engine.start(ref)
    yield* engine.start(ref)
    assert.strictEqual(yield* state, "running")
    assert.isNotNull((yield* engine.inspect(ref)).startedAt)
    yield* engine.stop(ref)
    yield* engine.stop(ref)
    assert.strictEqual(yield* state, "exited")
    assert.isNotNull((yield* engine.inspect(ref)).finishedAt)
    yield* engine.start(ref)
    yield* engine.kill(ref)
    yield* engine.kill(ref)
    assert.strictEqual((yield* engine.inspect(ref)).exitCode, 137)
    yield* engine.start(ref)
    assert.isNull((yield* engine.inspect(ref)).exitCode)
    assert.isTrue(yield* engine.remove(ref))
    assert.isFalse(yield* engine.remove(ref))
    for (const gone of [engine.inspect(ref), engine.start(ref), engine.stop(ref), engine.kill(ref), engine.wait(ref)]) {
      assert.strictEqual(
        (yield* Effect.flip<unknown, { readonly _tag: string }, never>(gone))._tag,
        "ContainerNotFound"
      )
    }
  }),

  "reject a port that is in use": Effect.gen(function* () {
    const { engine, refOf, run, spec } = yield* openEngine
    const ports = [{ address: "127.0.0.1", host: 39_517, container: 80, protocol: "tcp" as const }]
    const one = yield* run(spec(1, 1, { ports }))
    const other = spec(1, 2, { ports })
    yield* engine.create(other)
    assert.strictEqual((yield* Effect.flip(engine.start(refOf(other))))._tag, "PortTaken")
    yield* engine.remove(one)
    yield* engine.start(refOf(other))
    yield* engine.remove(refOf(other))
  }),

  "report the exit status of a container, and whether it was restarted": Effect.gen(function* () {
    const { engine, run, spec, world } = yield* openEngine
    const exited = yield* run(spec(1, 1, { command: world.programs.ends(3) }))
    assert.strictEqual(yield* engine.wait(exited), 3)
    const details = yield* engine.inspect(exited)
    assert.strictEqual(details.state, "exited")
    assert.strictEqual(details.exitCode, 3)
    assert.strictEqual(details.restarts, 0)
    const restart = { _tag: "OnFailure", times: 2 } as const
    const again = yield* run(spec(1, 2, { command: world.programs.ends(4), restart }))
    const ended = yield* eventually(
      engine.inspect(again),
      ({ restarts, state }) => state === "exited" && restarts === 2
    )
    assert.strictEqual(ended.exitCode, 4)
    const running = yield* run(spec(1, 3))
    const waiting = yield* Effect.forkChild(engine.wait(running), { startImmediately: true })
    yield* engine.kill(running)
    assert.strictEqual(yield* Fiber.join(waiting), 137)
    for (const each of [exited, again, running]) yield* engine.remove(each)
  }),

  "list the containers of an application, or of one of its deployments": Effect.gen(function* () {
    const { engine, refOf, spec, world } = yield* openEngine
    const application = world.application(1)
    const service = (n: number, name: string) => {
      const owner = { ...spec(1, n).owner, service: name }
      return spec(1, n, { owner, name: containerName(owner) })
    }
    const wanted = [service(2, "web"), service(2, "db"), spec(1, 1), spec(2, 1)]
    for (const each of wanted) yield* engine.create(each)
    yield* engine.start(refOf(service(2, "db")))
    const listed = (filter: Parameters<typeof engine.list>[0]) =>
      Effect.map(engine.list(filter), (found) => found.map(({ name, owner, state }) => [name, owner.service, state]))
    assert.deepStrictEqual(yield* listed({ application }), [
      [`${application}-${deployment(1)}`, null, "created"],
      [`${application}-${deployment(2)}-db`, "db", "running"],
      [`${application}-${deployment(2)}-web`, "web", "created"]
    ])
    assert.deepStrictEqual(yield* listed({ application, deployment: deployment(1) }), [
      [`${application}-${deployment(1)}`, null, "created"]
    ])
    assert.deepStrictEqual(yield* listed({ application, deployment: deployment(3) }), [])
    for (const each of wanted) yield* engine.remove(refOf(each))
    assert.deepStrictEqual(yield* listed({ application }), [])
  }),

  "return the addresses of all running containers": Effect.gen(function* () {
    const { engine, refOf, run, spec, world } = yield* openEngine
    const shared = `${world.application(1)}-shared`
    yield* engine.ensureNetwork(shared, world.application(1))
    const networks = [{ network: shared, aliases: [] }]
    const running = [yield* run(spec(1, 1, { networks })), yield* run(spec(2, 1, { networks }))]
    const waits = spec(1, 2)
    yield* engine.create(waits)
    const all = yield* engine.addresses
    for (const { application, name } of running) {
      const { addresses } = yield* engine.inspect({ application, name })
      assert.isNotEmpty(Object.values(addresses))
      const found = all.find((each) => each.name === name)
      assert.deepStrictEqual([found?.owner.application, found?.addresses], [application, addresses])
    }
    assert.isUndefined(all.find(({ name }) => name === waits.name))
    for (const each of [...running, refOf(waits)]) yield* engine.remove(each)
    yield* engine.removeNetwork(world.application(1), shared)
  }),

  "hide the resources of other applications (invariant I22)": Effect.gen(function* () {
    const { engine, owner, run, spec, world } = yield* openEngine
    const [mine, other] = [world.application(1), world.application(2)]
    const theirs = yield* run(spec(2, 1, { labels: [[label.application, mine]] }))
    const stolen = { ...theirs, application: mine }
    const gone = { argv: ["true"] }
    for (const touched of [
      engine.inspect(stolen),
      engine.start(stolen),
      engine.stop(stolen),
      engine.kill(stolen),
      engine.wait(stolen),
      engine.exec(stolen, gone)
    ]) {
      const failure = yield* Effect.flip<unknown, { readonly _tag: string }, never>(touched)
      assert.strictEqual(failure._tag, "ContainerNotFound")
    }
    assert.isFalse(yield* engine.remove(stolen))
    assert.deepStrictEqual(yield* engine.list({ application: mine }), [])

    yield* engine.ensureNetwork(`${other}-net`, other)
    yield* engine.ensureVolume(other, `${other}_data`)
    yield* engine.tagImage(world.image, owner(2, 1))
    assert.strictEqual((yield* Effect.flip(engine.ensureNetwork(`${other}-net`, mine)))._tag, "NameTaken")
    assert.strictEqual((yield* Effect.flip(engine.ensureVolume(mine, `${other}_data`)))._tag, "NameTaken")
    const data = { source: { _tag: "Volume", name: `${other}_data` }, target: "/data", readOnly: false } as const
    assert.strictEqual((yield* Effect.flip(engine.create(spec(1, 1, { mounts: [data] }))))._tag, "NameTaken")
    assert.isFalse(yield* engine.removeNetwork(mine, `${other}-net`))
    assert.isFalse(yield* engine.removeVolume(mine, `${other}_data`))
    assert.isFalse(yield* engine.removeImage(owner(1, 1)))
    assert.deepStrictEqual(yield* engine.listNetworks(mine), [])
    assert.deepStrictEqual(yield* engine.listVolumes(mine), [])
    assert.deepStrictEqual(yield* engine.listImages(mine), [])

    assert.strictEqual((yield* engine.inspect(theirs)).state, "running")
    yield* engine.remove(theirs)
    assert.isTrue(yield* engine.removeNetwork(other, `${other}-net`))
    assert.isTrue(yield* engine.removeVolume(other, `${other}_data`))
    assert.isTrue(yield* engine.removeImage(owner(2, 1)))
  })
}
