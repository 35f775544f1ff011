import { expect, it } from "@effect/vitest"
import { Deployments } from "@slipway/deploy/apps"
import { Databases } from "@slipway/deploy/databases"
import { Transaction } from "@slipway/domain"
import { DeletionStore, DeploymentStore, ReleaseStore, type Turn } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type Backup,
  BackupStore,
  type BackupUuid,
  DatabaseStore,
  type DatabaseUuid,
  defaultBackup
} from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import { certificateIssuer } from "@slipway/memory/deploy"
import { migrations } from "@slipway/sql/deploy"
import { recordStatements } from "@slipway/sql/testing"
import { testLayer } from "@slipway/testkit"
import { moment, newDatabase, newDeletion, newDeployment, plantPlace, targetOf, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"
import { create } from "./support.ts"

const turn = (worker: string): Turn => ({ worker, at: moment(100), until: moment(110) })

const backupOf = (n: number, databaseUuid: DatabaseUuid): Omit<Backup, "id"> => ({
  uuid: `backup${String(n).padStart(18, "0")}` as BackupUuid,
  databaseUuid,
  frequency: "daily",
  ...defaultBackup,
  dueAt: moment(1),
  isAsked: false,
  createdAt: moment(1),
  updatedAt: moment(1)
})

const look = Effect.gen(function* () {
  const found = [yield* (yield* DeploymentStore).claim(turn("a")), yield* (yield* DeletionStore).claim(turn("a"))]
  return found.filter((row) => row !== undefined).length
})

/** Fills the tables of deployments with old, finished rows. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO deployment (uuid, application_uuid, application_name, server_uuid, server_name, destination_uuid, commit_sha,
      status, created_at, updated_at)
    SELECT 'copy' || n, 'copy' || n % 100, '', '', '', '', '', 'finished', now(), now() FROM generate_series(1, 20000) n`
  yield* sql`
    INSERT INTO deletion (uuid, application_uuid, application_name, server_uuid, destination_uuid, delete_configurations,
      delete_volumes, docker_cleanup, delete_connected_networks, status, removed, left_behind, created_at, updated_at)
    SELECT 'copy' || n, 'copy' || n, '', '', '', true, true, true, true, 'finished', '[]', '[]', now(), now()
    FROM generate_series(1, 20000) n`
  yield* sql`
    INSERT INTO deployment_line (deployment_uuid, at, stream, line)
    SELECT 'copy' || n % 20000, now(), 'stdout', repeat('x', 200) FROM generate_series(1, 60000) n`
  yield* sql`ANALYZE`
})

/** Returns the rows of sequential scans by table while an effect runs. */
const scanned = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tables = ["deployment", "deletion", "deployment_line", "serving", "release"]
    const count = sql<{ readonly name: string; readonly rows: string }>`
      SELECT relname AS name, pg_stat_get_xact_tuples_returned(oid) AS rows FROM pg_class
      WHERE relname IN ${sql.in(tables)} AND relnamespace = current_schema()::regnamespace ORDER BY relname`
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* count
        yield* effect
        const after = yield* count
        return after.reduce((all, { rows }, at) => all + Number(rows) - Number(before[at]?.rows ?? 0), 0)
      })
    )
  })

onOneEngine((engine) => {
  const layer = Layer.mergeAll(layerEmptied(engine), testLayer)

  it.live("a poll without work sends two statements, whatever the number of old and active rows", () =>
    Effect.gen(function* () {
      const deployments = yield* DeploymentStore
      expect((yield* recordStatements(look))[1].length).toBe(2)
      yield* fill
      yield* Effect.orDie(deployments.insert(newDeployment(1, targetOf(1))))
      yield* Effect.orDie((yield* DeletionStore).insert(newDeletion(1, targetOf(2))))
      expect(yield* look).toBe(2)
      const [found, statements] = yield* recordStatements(look)
      expect([found, statements.length]).toEqual([0, 2])
    }).pipe(Effect.provide(layer))
  )

  it.live("a poll reads only unfinished rows, and pruning a log reads only the rows of one deployment", () =>
    Effect.gen(function* () {
      yield* fill
      yield* Effect.orDie((yield* DeploymentStore).insert(newDeployment(1, targetOf(1))))
      yield* Effect.orDie((yield* DeletionStore).insert(newDeletion(1, targetOf(2))))
      expect(yield* scanned(look)).toBeLessThan(100)
      expect(yield* scanned((yield* DeploymentStore).cameToNothing(uuidOf("server", 1), moment(1)))).toBeLessThan(10)
      expect(yield* scanned((yield* ReleaseStore).servingOn(uuidOf("server", 1)))).toBeLessThan(10)
      expect(yield* scanned((yield* DeletionStore).ofApplication(uuidOf("application", 2)))).toBeLessThan(10)
      const logs = yield* DeploymentLogStore
      expect(yield* scanned(logs.prune("copy7" as never, 100))).toBeLessThan(8_000)
      const kept = yield* Effect.forEach([7, 10_007, 19_907], (n) => logs.page(`copy${n}` as DeploymentUuid, 0, 9))
      expect(kept.map((lines) => lines.length)).toEqual([0, 3, 3])
    }).pipe(Effect.provide(layer))
  )

  it.live("concurrent polls give each deployment and deletion to one worker", () =>
    Effect.gen(function* () {
      const numbers = Array.from({ length: 40 }, (_, n) => n + 1)
      const deployments = yield* DeploymentStore
      const deletions = yield* DeletionStore
      for (const n of numbers) {
        // Each server builds one deployment at a time, so each deployment has a separate server.
        yield* Effect.orDie(deployments.insert(newDeployment(n, targetOf(n))))
        yield* Effect.orDie(deletions.insert(newDeletion(n, targetOf(n + 1_000))))
      }
      const looks = numbers.flatMap((n) => [deployments.claim(turn(`a${n}`)), deletions.claim(turn(`b${n}`))])
      const taken = (yield* Effect.all(looks, { concurrency: 16 })).flatMap((row) => row ?? [])
      expect(new Set(taken.map(({ uuid }) => uuid)).size).toBe(taken.length)
      for (;;) {
        const [next, last] = [yield* deployments.claim(turn("c")), yield* deletions.claim(turn("c"))]
        if (next === undefined && last === undefined) break
        taken.push(...[next, last].flatMap((row) => row ?? []))
      }
      expect([taken.length, new Set(taken.map(({ uuid }) => uuid)).size]).toEqual([80, 80])
    }).pipe(Effect.provide(layer))
  )

  it.live("concurrent polls run one backup per database at a time", () =>
    Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const store = yield* BackupStore
      const databases = yield* DatabaseStore
      const numbers = Array.from({ length: 20 }, (_, n) => n + 1)
      for (const n of numbers) {
        const database = yield* Effect.orDie(databases.insert(newDatabase(n, placement)))
        for (const each of [1, 2, 3]) yield* store.insert(backupOf(n * 3 + each, database.uuid))
      }
      // Like workers: others see a claim when its transaction has committed.
      const { run } = yield* Transaction
      const take = (worker: string) => run(Effect.tap(store.claim(turn(worker)), () => Effect.sleep(1)))
      const looks = numbers.flatMap((n) => [1, 2, 3].map((each) => take(`w${n * 3 + each}`)))
      const taken = (yield* Effect.all(looks, { concurrency: 16 })).flatMap((row) => row ?? [])
      expect(new Set(taken.map(({ databaseUuid }) => databaseUuid)).size).toBe(taken.length)
      for (;;) {
        const next = yield* store.claim(turn("last"))
        if (next === undefined) break
        taken.push(next)
      }
      expect([taken.length, new Set(taken.map(({ databaseUuid }) => databaseUuid)).size]).toEqual([20, 20])
    }).pipe(Effect.provide(layer))
  )

  it.live("only one of several concurrent requests gets a public port of a server", () =>
    Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const nothing = { limits: {}, fields: {} }
      const made = (input: Partial<Databases.DatabaseInput>) =>
        Databases.create(system("database.create"), "redis", { ...nothing, ...input }, placement, false)
      const has = (port: number) => ({ isPublic: true, publicPort: port })
      const created = Array.from({ length: 6 }, () => Effect.option(made(has(6_390))))
      expect((yield* Effect.all(created, { concurrency: 6 })).filter(Option.isSome).length).toBe(1)
      const idle = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => made({}))
      const changed = idle.map((database) =>
        Effect.option(Databases.update(system("database.update", { database }), { ...nothing, ...has(6_391) }))
      )
      expect((yield* Effect.all(changed, { concurrency: 6 })).filter(Option.isSome).length).toBe(1)
    }).pipe(Effect.provide(Layer.merge(layer, certificateIssuer)))
  )

  it.live("concurrent requests queue only as many deployments as the server allows", () =>
    Effect.gen(function* () {
      const { placement, server } = yield* plantPlace()
      yield* (yield* ServerStore).replace({ ...server, deploymentQueueLimit: 3 })
      const made = yield* Effect.forEach(Array.from({ length: 12 }), () => create(placement))
      const asked = made.map((application) =>
        Effect.option(Deployments.deploy(system("application.deploy", { application }), false))
      )
      const queued = (yield* Effect.all(asked, { concurrency: 12 })).filter(Option.isSome)
      expect(queued.length).toBe(3)
    }).pipe(Effect.provide(layer))
  )
}, migrations)
