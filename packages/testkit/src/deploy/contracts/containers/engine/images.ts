import { assert } from "@effect/vitest"
import { type BuildOptions, imageReference, type Owner, type Progress } from "@slipway/domain/deploy/containers"
import { Deferred, Effect, Fiber, Redacted, Stream } from "effect"
import type { Promised } from "../../../../contract.ts"
import { deployment, type EngineTested, eventually, openEngine } from "./support.ts"

const options = (owner: Owner): BuildOptions => ({
  owner,
  dockerfile: "path/Dockerfile",
  arguments: [["GREETING", Redacted.make("hello $(id) 'you'")]],
  labels: [["greeting", "hello `id`"]],
  target: null,
  fresh: false,
  credentials: []
})

const linesOf = (progress: ReadonlyArray<Progress>): string =>
  progress.map((each) => (each._tag === "Line" ? each.text : "")).join("\n")

/** Contract tests of container engines: pull, build and removal of images. */
export const images: Readonly<Record<string, Promised<EngineTested>>> = {
  "pull an image from its registry, and report a failure": Effect.gen(function* () {
    const { engine, world } = yield* openEngine
    const { credentials, reference } = world.published
    const progress = yield* Stream.runCollect(engine.pull(reference, credentials))
    const last = progress.at(-1)
    assert.isAbove(progress.length, 1)
    assert.strictEqual(last?._tag, "Image")
    assert.deepStrictEqual(last?._tag === "Image" ? last.image : undefined, yield* engine.inspectImage(reference))
    const stranger = yield* Effect.flip(Stream.runCollect(engine.pull(reference)))
    assert.strictEqual(stranger._tag, "ImageNotFound")
    const missing = reference.replace(/:[^:]*$/, ":missing")
    const failure = yield* Effect.flip(Stream.runCollect(engine.pull(missing, credentials)))
    assert.strictEqual(failure._tag, "ImageNotFound")
    assert.strictEqual((yield* Effect.flip(engine.inspectImage(missing)))._tag, "ImageNotFound")
  }),

  "push an image to a registry with its credentials, and report a failure": Effect.gen(function* () {
    const { engine, owner, world } = yield* openEngine
    const { credentials, reference } = world.published
    const pushed = `${reference.split("/")[0]}/team/pushed:2`
    const mine = owner(1, 1)
    yield* Stream.runDrain(engine.build(world.archive("works"), { ...options(mine), fresh: true }))
    const { id, tags } = yield* engine.inspectImage(imageReference(mine))
    const wrong = yield* Effect.flip(Stream.runDrain(engine.push(id, pushed)))
    assert.strictEqual(wrong._tag, "EngineRefused")
    const missing = yield* Effect.flip(Stream.runDrain(engine.push(imageReference(owner(404, 1)), pushed, credentials)))
    assert.strictEqual(missing._tag, "ImageNotFound")
    const lines = (yield* Stream.runCollect(engine.push(id, pushed, credentials))).filter(({ _tag }) => _tag === "Line")
    assert.isAbove(lines.length, 0)
    assert.deepStrictEqual((yield* engine.inspectImage(id)).tags, tags)
    const progress = yield* Stream.runCollect(engine.pull(pushed, credentials))
    const last = progress.at(-1)
    assert.deepStrictEqual(last?._tag === "Image" ? last.image.ports : undefined, [8080])
  }),

  "return the digest of a pushed image, which pulls it after another push of its tag": Effect.gen(function* () {
    const { engine, owner, world } = yield* openEngine
    const { credentials, reference } = world.published
    const repository = `${reference.split("/")[0]}/team/pushed`
    const built = Effect.fnUntraced(function* (n: number) {
      yield* Stream.runDrain(engine.build(world.archive("works"), { ...options(owner(1, n)), fresh: true }))
      return yield* engine.inspectImage(imageReference(owner(1, n)))
    })
    const push = (id: string) =>
      Effect.map(Stream.runCollect(engine.push(id, `${repository}:moving`, credentials)), (steps) => steps.at(-1))
    const first = yield* built(1)
    const second = yield* built(2)
    assert.notStrictEqual(first.id, second.id)
    const pulled = Effect.fnUntraced(function* (name: string) {
      const last = (yield* Stream.runCollect(engine.pull(name, credentials))).at(-1)
      return last?._tag === "Image" ? last.image.id : undefined
    })
    const pushed = yield* push(first.id)
    const before = yield* pulled(`${repository}:moving`)
    yield* push(second.id)
    if (pushed?._tag !== "Pushed") return assert.fail("the push ended without a digest")
    assert.match(pushed.digest, /^sha256:[0-9a-f]+$/)
    assert.strictEqual(yield* pulled(`${repository}@${pushed.digest}`), before)
    assert.notStrictEqual(yield* pulled(`${repository}:moving`), before)
  }),

  "build an image from an archive, and stream its log lines, then the image": Effect.gen(function* () {
    const { engine, owner, world } = yield* openEngine
    const mine = owner(1, 1)
    const progress = yield* Stream.runCollect(engine.build(world.archive("works"), { ...options(mine), fresh: true }))
    assert.include(linesOf(progress), "hello $(id) 'you'")
    const reference = imageReference(mine)
    const image = yield* engine.inspectImage(reference)
    assert.deepStrictEqual(progress.at(-1), { _tag: "Image", image })
    assert.match(image.id, /^sha256:[0-9a-f]{64}$/)
    assert.deepStrictEqual(image.tags, [reference])
    assert.deepStrictEqual(image.ports, [8080])
    assert.deepStrictEqual(yield* engine.inspectImage(image.id), image)
  }),

  "pull base images with the credentials of their registry, and send them to no other registry": Effect.gen(
    function* () {
      const { engine, owner, world } = yield* openEngine
      const { credentials } = world.published
      const mine = options(owner(1, 1))
      const other = { ...credentials, registry: "other.example" }
      for (const credentialList of [[], [other]]) {
        const turnedAway = engine.build(world.archive("closed"), { ...mine, credentials: credentialList })
        assert.strictEqual((yield* Effect.flip(Stream.runDrain(turnedAway)))._tag, "BuildFailed")
      }
      const wrong = { ...other, password: Redacted.make("of another registry") }
      const place = { ...credentials, registry: `${credentials.registry}/team` }
      const progress = yield* Stream.runCollect(
        engine.build(world.archive("closed"), { ...mine, credentials: [wrong, place] })
      )
      const image = yield* engine.inspectImage(imageReference(mine.owner))
      assert.deepStrictEqual(progress.at(-1), { _tag: "Image", image })
      assert.notInclude(linesOf(progress), Redacted.value(credentials.password))
      assert.isTrue(yield* engine.removeImage(mine.owner))
    }
  ),

  "report why a build failed, and keep no image of it": Effect.gen(function* () {
    const { engine, owner, world } = yield* openEngine
    const failure = yield* Effect.flip(Stream.runDrain(engine.build(world.archive("fails"), options(owner(1, 1)))))
    assert.strictEqual(failure._tag, "BuildFailed")
    assert.isAbove(failure._tag === "BuildFailed" ? failure.because.length : 0, 5)
    assert.deepStrictEqual(yield* engine.listImages(world.application(1)), [])
    const broken = Stream.concat(world.archive("works").pipe(Stream.take(1)), Stream.fail("the archive broke" as const))
    const reason = yield* Effect.flip(Stream.runDrain(engine.build(broken, options(owner(1, 2)))))
    assert.strictEqual(reason, "the archive broke")
    assert.deepStrictEqual(yield* engine.listImages(world.application(1)), [])
  }),

  "stop a build when its caller is interrupted": Effect.gen(function* () {
    const { engine, owner, world } = yield* openEngine
    const hangs = yield* Deferred.make<void>()
    const build = engine
      .build(world.archive("hangs"), { ...options(owner(1, 1)), fresh: true })
      .pipe(
        Stream.runForEach((each) =>
          each._tag === "Line" && each.text.includes("hello") ? Deferred.succeed(hangs, undefined) : Effect.void
        )
      )
    const fiber = yield* Effect.forkChild(build)
    yield* Deferred.await(hangs)
    yield* eventually(world.isBuilding, (isBuilding) => isBuilding)
    yield* Fiber.interrupt(fiber)
    yield* eventually(world.isBuilding, (isBuilding) => !isBuilding)
    assert.deepStrictEqual(yield* engine.listImages(world.application(1)), [])
  }),

  "remove only the build stages of the given application": Effect.gen(function* () {
    const { engine, owner, world } = yield* openEngine
    const [mine, others] = [owner(1, 1), owner(2, 1)]
    for (const each of [mine, others]) {
      yield* Stream.runDrain(engine.build(world.archive("staged"), { ...options(each), fresh: true }))
    }
    const of = ({ application }: Owner) =>
      Effect.map(engine.listStages, (all) => all.filter((stage) => stage.application === application))
    const before = yield* of(others)
    // Docker doesn't label the intermediate images of stages.
    if ((yield* engine.info).product === "podman") assert.isAbove(before.length, 0)
    for (const stage of yield* of(mine)) {
      assert.strictEqual(stage.deployment, mine.deployment)
      assert.isTrue(yield* engine.removeStage(stage))
      assert.isFalse(yield* engine.removeStage(stage))
    }
    assert.deepStrictEqual(yield* of(mine), [])
    assert.deepStrictEqual(yield* of(others), before)
    assert.strictEqual((yield* engine.listImages(mine.application)).length, 1)
    for (const each of [mine, others]) yield* engine.removeImage(each)
    for (const stage of yield* of(others)) yield* engine.removeStage(stage)
  }),

  "remove unnamed data that was unused for a day, and nothing of an application": Effect.gen(function* () {
    const { engine, owner, world } = yield* openEngine
    const mine = owner(1, 1)
    yield* Stream.runDrain(engine.build(world.archive("staged"), { ...options(mine), fresh: true }))
    const before = yield* engine.listStages
    assert.isAtLeast(yield* engine.freeUnused, 0)
    assert.deepStrictEqual(yield* engine.listStages, before)
    assert.strictEqual((yield* engine.listImages(mine.application)).length, 1)
    yield* engine.inspectImage(world.image)
    yield* engine.removeImage(mine)
    for (const stage of yield* engine.listStages) {
      if (stage.application === mine.application) yield* engine.removeStage(stage)
    }
  }),

  "report the disk usage of the engine": Effect.gen(function* () {
    const { engine, world } = yield* openEngine
    const { size } = yield* engine.inspectImage(world.image)
    const { buildCache, containers, images, volumes } = yield* engine.diskUse
    assert.isAtLeast(images, size)
    for (const each of [buildCache, containers, volumes]) assert.isAtLeast(each, 0)
  }),

  "report the used and free space of the engine's disk": Effect.gen(function* () {
    const { engine } = yield* openEngine
    const space = yield* engine.diskSpace
    if (space === null) return assert.fail("it doesn't tell")
    assert.isAtLeast(space.used, 0)
    assert.isAtLeast(space.free, 0)
    assert.isAbove(space.used + space.free, 0)
  }),

  "report the use of the machine and of running containers": Effect.gen(function* () {
    const { engine, refOf, spec } = yield* openEngine
    const host = yield* engine.hostUse
    if (host === null) return assert.fail("it doesn't tell")
    assert.isAtLeast(host.cpu.total, host.cpu.busy)
    assert.isAbove(host.memory.total, 0)
    assert.isAtLeast(host.memory.total, host.memory.used)
    const created = spec(1, 1)
    yield* engine.create(created)
    assert.notInclude(
      (yield* engine.containerUse).map(({ name }) => name),
      created.name
    )
    yield* engine.start(refOf(created))
    const use = (yield* engine.containerUse).find(({ name }) => name === created.name)
    if (use === undefined) return assert.fail("the running container is missing")
    assert.deepStrictEqual(use.owner, created.owner)
    assert.isAtLeast(use.memory.used, 0)
    assert.isAbove(use.memory.limit, 0)
    yield* engine.kill(refOf(created))
    yield* engine.remove(refOf(created))
  }),

  "keep the images of an application under the tags of its deployments": Effect.gen(function* () {
    const { engine, owner, refOf, spec, world } = yield* openEngine
    const [first, second, other] = [owner(1, 1), { ...owner(1, 2), service: "web" }, owner(2, 1)]
    for (const each of [first, second, other]) yield* engine.tagImage(world.image, each)
    const { id } = yield* engine.inspectImage(world.image)
    const listed = yield* engine.listImages(first.application)
    assert.deepStrictEqual(
      listed.map((image) => image.id),
      [id]
    )
    for (const each of [first, second, other]) assert.include(listed[0]?.tags ?? [], imageReference(each))
    yield* engine.create(spec(1, 1, { image: imageReference(first) }))
    assert.isTrue(yield* engine.removeImage(first))
    assert.isFalse(yield* engine.removeImage(first))
    assert.isFalse(yield* engine.removeImage({ ...first, deployment: deployment(404) }))
    assert.isTrue(yield* engine.removeImage(second))
    assert.deepStrictEqual(yield* engine.listImages(first.application), [])
    assert.strictEqual((yield* engine.listImages(other.application)).length, 1)
    const tags = (yield* engine.listImages(null)).flatMap((image) => image.tags)
    assert.include(tags, imageReference(other))
    assert.notInclude(tags, imageReference(first))
    yield* engine.remove(refOf(spec(1, 1)))
    const missing = yield* Effect.flip(engine.tagImage("slipway/missing:1", first))
    assert.strictEqual(missing._tag, "ImageNotFound")

    const built = owner(3, 1)
    yield* Stream.runDrain(engine.build(world.archive("works"), options(built)))
    const tag = imageReference(built)
    yield* engine.create(spec(3, 1, { image: tag }))
    const used = yield* Effect.flip(engine.removeImage(built))
    assert.strictEqual(used._tag, "ResourceInUse")
    yield* engine.remove(refOf(spec(3, 1)))
    assert.isTrue(yield* engine.removeImage(built))
    assert.strictEqual((yield* Effect.flip(engine.inspectImage(tag)))._tag, "ImageNotFound")
  })
}
