import { assert } from "@effect/vitest"
import { Applications, Deletions, Deployments, Tags } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { ApplicationStore, type DeploymentStatus, DeploymentStore, TagStore } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { Effect, Result, Stream } from "effect"
import { newApplication, newTag } from "../builders.ts"
import { plantWorld } from "../world.ts"
import {
  as,
  bodyOf,
  type Case,
  changesNothing,
  create,
  createImage,
  get,
  holdersOf,
  refuses,
  remove,
  shown,
  update,
  uuidsOf
} from "./support.ts"

const list = (page: number, perPage: number, tag?: string) =>
  Applications.list(system("application.list"), { page, perPage }, { tag })
const all = (tag?: string) => Stream.runCollect(Applications.stream(system("application.list"), { tag }))

const deploymentsOf = (uuid: string) =>
  Effect.gen(function* () {
    const { rows } = yield* Deployments.list(system("deployment.list"), { page: 1, perPage: 100 })
    return rows.filter((row) => row.applicationUuid === uuid)
  })
const statusesOf = (uuid: string) =>
  Effect.map(deploymentsOf(uuid), (rows): ReadonlyArray<DeploymentStatus> => rows.map((row) => row.status))

const noUuids = ["", "nothing", "\0", "\ud800", "x".repeat(10_000), "../../etc"]

/** Tests of the life cycle of an application: it is read, listed, changed concurrently, deployed and deleted. */
export const lifeCases = {
  "a creation is stored as returned, with an unpredictable uuid": Effect.gen(function* () {
    const world = yield* plantWorld()
    const application = yield* createImage(world)
    assert.match(application.uuid, /^[a-z0-9]{24}$/)
    assert.deepStrictEqual(yield* get(application.uuid), application)
    assert.strictEqual(application.createdAt, application.updatedAt)
    assert.notStrictEqual((yield* createImage(world)).uuid, application.uuid)
  }),
  "a missing application is not found under any name": Effect.gen(function* () {
    yield* plantWorld()
    for (const uuid of noUuids) {
      for (const error of [
        yield* changesNothing(get(uuid)),
        yield* changesNothing(update(uuid, { name: "x" })),
        yield* changesNothing(update(uuid, { wrong: 1 })),
        yield* changesNothing(remove(uuid))
      ]) {
        assert.strictEqual(error._tag, "ApplicationNotFound")
      }
    }
  }),
  "a list has pages, oldest first, with the total": Effect.gen(function* () {
    const world = yield* plantWorld()
    const uuids = uuidsOf(yield* Effect.forEach(Array.from({ length: 7 }), () => createImage(world)))
    for (const [page, expected] of [
      [1, uuids.slice(0, 3)],
      [2, uuids.slice(3, 6)],
      [3, uuids.slice(6)],
      [4, []],
      [1_000_000_000, []]
    ] as const) {
      const { rows, total } = yield* list(page, 3)
      assert.deepStrictEqual(uuidsOf(rows), expected)
      assert.strictEqual(total, 7)
    }
  }),
  "a list by tag has only applications with that tag, in pages and in streams": Effect.gen(function* () {
    const world = yield* plantWorld()
    const applications = yield* Effect.forEach(Array.from({ length: 4 }), () => createImage(world))
    const [first, , third] = applications
    assert.isDefined(first)
    assert.isDefined(third)
    yield* Tags.add(yield* systemOn("application.tag.add", { uuid: third.uuid }), ["Prod", "eu"])
    yield* Tags.add(yield* systemOn("application.tag.add", { uuid: first.uuid }), ["prod"])
    for (const tag of ["prod", "PROD"]) {
      const { rows, total } = yield* list(1, 10, tag)
      assert.deepStrictEqual([uuidsOf(rows), total], [[first.uuid, third.uuid], 2])
      assert.deepStrictEqual(uuidsOf((yield* list(2, 1, tag)).rows), [third.uuid])
      assert.deepStrictEqual(uuidsOf(yield* all(tag)), [first.uuid, third.uuid])
    }
    for (const tag of ["", "pro", "prod ", "pro_", "\0"]) {
      assert.deepStrictEqual(yield* list(1, 10, tag), { rows: [], total: 0 })
      assert.deepStrictEqual(yield* all(tag), [])
    }
  }),
  "a stream has every application once, oldest first": Effect.gen(function* () {
    const { placement } = yield* plantWorld()
    const store = yield* ApplicationStore
    const tags = yield* TagStore
    const tag = yield* tags.insert(newTag(1))
    assert.deepStrictEqual(yield* all(), [])
    const applications = yield* Effect.forEach(
      Array.from({ length: 401 }, (_, n) => 401 - n),
      (n) => store.insert(newApplication(n, placement))
    )
    yield* Effect.forEach(applications, (each) => tags.attach(each.uuid, [tag.uuid]), { discard: true })
    assert.deepStrictEqual(uuidsOf(yield* all()), uuidsOf(applications))
    assert.deepStrictEqual(uuidsOf(yield* all(tag.name)), uuidsOf(applications))
    const [last] = applications.slice(-1)
    assert.isDefined(last)
    yield* store.remove(last.uuid)
    assert.strictEqual((yield* all()).length, 400)
  }),
  "an update keeps omitted fields, the creation time and the position in the list": Effect.gen(function* () {
    const world = yield* plantWorld()
    const application = yield* createImage(world, { description: "kept", limits_memory: "512m" })
    yield* createImage(world)
    const changed = yield* update(application.uuid, { name: "changed" })
    const configuration = { ...application.configuration, name: "changed" }
    assert.deepStrictEqual(changed, { ...application, configuration, updatedAt: changed.updatedAt })
    assert.isTrue(changed.updatedAt >= application.updatedAt)
    assert.deepStrictEqual(yield* get(application.uuid), changed)
    assert.deepStrictEqual((yield* list(1, 1)).rows, [changed])
    const unchanged = yield* update(application.uuid, {})
    assert.deepStrictEqual(unchanged, { ...changed, updatedAt: unchanged.updatedAt })
  }),
  "concurrent updates lose no change": Effect.gen(function* () {
    const world = yield* plantWorld()
    const { uuid } = yield* createImage(world)
    const changes: ReadonlyArray<Readonly<Record<string, unknown>>> = [
      { name: "one" },
      { description: "two" },
      { limits_cpu_shares: 3 },
      { ports_mappings: "4:4" },
      { domains: "https://five.example" },
      { custom_labels: "six=$6" },
      { manual_webhook_secret_forgeA: "seven" },
      { http_basic_auth_password: "eight" },
      { health_check_path: "/nine" },
      { redirect: "both" }
    ]
    yield* Effect.forEach(changes, (body) => update(uuid, body), { concurrency: "unbounded" })
    const fields = yield* shown(uuid)
    assert.deepStrictEqual({ ...fields, ...Object.assign({}, ...changes) }, fields)
  }),
  "a deletion is immediate, removes domains and tags, and adds a cleanup job": Effect.gen(function* () {
    const world = yield* plantWorld()
    const application = yield* createImage(world, { domains: "https://app.example", name: "the deleted" })
    const other = yield* createImage(world)
    yield* Tags.add(yield* systemOn("application.tag.add", { uuid: application.uuid }), ["a"])
    const flags = {
      deleteConfigurations: true,
      deleteVolumes: false,
      dockerCleanup: true,
      deleteConnectedNetworks: false
    }
    const deletion = yield* remove(application.uuid, flags)
    assert.strictEqual((yield* Effect.flip(get(application.uuid)))._tag, "ApplicationNotFound")
    assert.deepStrictEqual(uuidsOf(yield* all()), [other.uuid])
    assert.deepStrictEqual(yield* list(1, 10, "a"), { rows: [], total: 0 })
    assert.deepStrictEqual(yield* holdersOf("https://app.example"), [])
    assert.deepStrictEqual((yield* systemOn("deletion.read", { uuid: deletion.uuid })).resource.deletion, deletion)
    const { createdAt, id, updatedAt, uuid, ...facts } = deletion
    assert.deepStrictEqual(facts, {
      ...flags,
      applicationUuid: application.uuid,
      applicationName: "the deleted",
      serverUuid: world.server.uuid,
      destinationUuid: world.destination.uuid,
      forgeLink: null,
      status: "queued",
      removed: [],
      left: [],
      reason: null,
      attempts: 0,
      claimedBy: null,
      leaseUntil: null
    })
    assert.strictEqual(createdAt, updatedAt)
    assert.isAbove(id, 0)
    assert.notStrictEqual<string>(uuid, application.uuid)
  }),
  "only one of 10 concurrent deletions deletes the application": Effect.gen(function* () {
    const world = yield* plantWorld()
    const { uuid } = yield* createImage(world)
    const ten = Array.from({ length: 10 }, () => Effect.result(remove(uuid)))
    const results = yield* Effect.all(ten, { concurrency: "unbounded" })
    assert.strictEqual(results.filter(Result.isSuccess).length, 1)
    for (const { failure } of results.filter(Result.isFailure)) assert.strictEqual(failure._tag, "ApplicationNotFound")
    assert.strictEqual((yield* Deletions.list(system("deletion.list"), { page: 1, perPage: 10 })).total, 1)
  }),
  "an update concurrent with a deletion never restores the application": Effect.gen(function* () {
    const world = yield* plantWorld()
    const { uuid } = yield* createImage(world)
    const updates = Array.from({ length: 10 }, (_, n) =>
      Effect.result(update(uuid, { domains: `https://${n}.example` }))
    )
    const updating = Effect.all(updates, { concurrency: "unbounded" })
    const [results] = yield* Effect.all([updating, remove(uuid)], { concurrency: "unbounded" })
    for (const { failure } of results.filter(Result.isFailure)) assert.strictEqual(failure._tag, "ApplicationNotFound")
    assert.deepStrictEqual(yield* all(), [])
    for (let n = 0; n < 10; n++) assert.deepStrictEqual(yield* holdersOf(`https://${n}.example`), [])
    yield* changesNothing(update(uuid, { name: "too late" }))
    yield* changesNothing(remove(uuid))
  }),
  "a requested deployment is recorded immediately, with the current names": Effect.gen(function* () {
    const world = yield* plantWorld()
    const quiet = yield* createImage(world)
    const body = { instant_deploy: true, name: "deployed", git_commit_sha: "0a1b2c3" }
    const application = yield* create("public", bodyOf("public", world, body))
    assert.deepStrictEqual(yield* deploymentsOf(quiet.uuid), [])
    const [deployment] = yield* deploymentsOf(application.uuid)
    assert.isDefined(deployment)
    const { createdAt, id, updatedAt, uuid, ...facts } = deployment
    assert.deepStrictEqual(facts, {
      applicationUuid: application.uuid,
      applicationName: "deployed",
      serverUuid: world.server.uuid,
      serverName: world.server.name,
      destinationUuid: world.destination.uuid,
      commit: "0a1b2c3",
      commitMessage: null,
      pullRequestId: 0,
      trigger: "api",
      action: "deploy",
      releaseUuid: null,
      force: false,
      status: "queued",
      reason: null,
      imageId: null,
      cancelRequested: false,
      requestedBy: null,
      pusher: null,
      approvalUntil: null,
      startsParts: [],
      imageTag: null,
      startedAt: null,
      finishedAt: null,
      claimedBy: null,
      leaseUntil: null
    })
    assert.deepStrictEqual([createdAt, id > 0, uuid.length], [updatedAt, true, 24])
    yield* update(application.uuid, { name: "an update that doesn't ask for one" })
    assert.strictEqual((yield* deploymentsOf(application.uuid)).length, 1)
    yield* update(application.uuid, { instant_deploy: true })
    yield* update(application.uuid, { instant_deploy: false })
    assert.strictEqual((yield* deploymentsOf(application.uuid)).length, 2)
  }),
  "a deletion cancels waiting deployments and keeps their records": Effect.gen(function* () {
    const world = yield* plantWorld()
    const application = yield* createImage(world, { instant_deploy: true })
    const other = yield* createImage(world, { instant_deploy: true })
    yield* remove(application.uuid)
    assert.deepStrictEqual(yield* statusesOf(application.uuid), ["cancelled"])
    assert.deepStrictEqual(yield* statusesOf(other.uuid), ["queued"])
    assert.strictEqual(yield* (yield* DeploymentStore).count, 2)
  }),
  "a caller with write but not deploy permission creates and updates without a deployment (invariant I13)": Effect.gen(
    function* () {
      const world = yield* plantWorld()
      const writer = as("write")
      const body = bodyOf("dockerimage", world, { domains: "https://app.example" })
      const deploying = Applications.create(yield* writer("application.create"), "dockerimage", {
        ...body,
        instant_deploy: true
      })
      const refusal = yield* changesNothing(deploying, "https://app.example")
      assert.strictEqual(refusal._tag, "NotAuthorized")
      const application = yield* Applications.create(yield* writer("application.create"), "dockerimage", body)
      const changing = Applications.update(yield* writer("application.update", application), { instant_deploy: true })
      assert.strictEqual((yield* changesNothing(changing))._tag, "NotAuthorized")
      const both = yield* as("write", "deploy")("application.update", application)
      yield* Applications.update(both, { instant_deploy: true })
      yield* Applications.update(yield* writer("application.update", application), { name: "not a deployment" })
      assert.strictEqual((yield* deploymentsOf(application.uuid)).length, 1)
      assert.strictEqual((yield* Effect.flip(as("read", "deploy")("application.create")))._tag, "NotAuthorized")
    }
  ),
  "a rejected update changes nothing, not even its valid fields": Effect.gen(function* () {
    const world = yield* plantWorld()
    const application = yield* createImage(world, { domains: "https://app.example" })
    const body = { name: "right", domains: "https://right.example", instant_deploy: true, limits_cpu_shares: -1 }
    yield* refuses(update(application.uuid, body), ["limits_cpu_shares"], "https://app.example,https://right.example")
    assert.deepStrictEqual(yield* get(application.uuid), application)
  })
} satisfies Readonly<Record<string, Case | Readonly<Record<string, Case>>>>
