import { expect } from "@effect/vitest"
import { DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type BackupRun,
  type BackupRunUuid,
  BackupStore,
  type BackupUuid,
  DatabaseStore,
  type DatabaseUuid
} from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { makeMember, makeTeam } from "../support/members.ts"

/** Creates a database that counts as running. */
const plantRunning = Effect.fnUntraced(function* (kind: string, name = "database") {
  const { service, world } = yield* Api
  const place = { project_uuid: world.project, server_uuid: world.server, environment_name: "production" }
  const { uuid } = yield* service.ask(201, "POST", `/databases/${kind}`, { ...place, name })
  yield* service.within(
    Effect.gen(function* () {
      const databases = yield* DatabaseStore
      const found = yield* databases.find(uuid as DatabaseUuid)
      if (found === undefined) return
      yield* Effect.orDie(databases.replace({ ...found, servingUuid: DeploymentUuid.make("run".padEnd(24, "0")) }))
    })
  )
  return uuid as string
})

let backups = 0

/** Creates a schedule with a successful backup; returns the paths of the backup and its uuids. */
const plantBackup = Effect.fnUntraced(function* (database: string, facts: Partial<BackupRun> = {}) {
  const { service } = yield* Api
  const { uuid: schedule } = yield* service.ask(201, "POST", `/databases/${database}/backups`, { frequency: "daily" })
  const run: BackupRun = {
    uuid: `backup${++backups}`.padEnd(24, "0") as BackupRunUuid,
    backupUuid: schedule as BackupUuid,
    status: "success",
    message: "",
    size: 5,
    dumpsAll: false,
    databases: [],
    image: "postgres:17-alpine",
    isLocal: true,
    object: null,
    startedAt: "2026-11-27T01:02:03.000Z",
    finishedAt: "2026-11-27T01:02:04.000Z",
    ...facts
  }
  yield* service.within(
    Effect.flatMap(BackupStore, (store) => Effect.andThen(store.begin(run.backupUuid, null, run), store.finish(run)))
  )
  const path = `/databases/${database}/backups/${schedule}/executions/${run.uuid}/restore`
  return { path, run: run.uuid, schedule: schedule as string }
})

for (const store of storeNames) {
  withApi(store)(`restores of backups over ${store}`, (it) => {
    it.effect("are requested for the database of the backup or another one, and listed there", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const source = yield* plantRunning("postgresql")
        const target = yield* plantRunning("postgresql")
        const { path, run, schedule } = yield* plantBackup(source)
        const made = yield* service.ask(201, "POST", path, { database_uuid: target, timeout: 120 })
        expect(made).toEqual({ uuid: expect.stringMatching(/^[a-z0-9]{24}$/), message: "Restore requested." })
        const [shown, ...others] = yield* service.ask(200, "GET", `/databases/${target}/restores`)
        expect(others).toEqual([])
        expect(shown).toEqual({
          id: shown.id,
          uuid: made.uuid,
          database_uuid: target,
          source_database_uuid: source,
          scheduled_backup_uuid: schedule,
          execution_uuid: run,
          status: "queued",
          message: null,
          timeout: 120,
          started_at: null,
          finished_at: null,
          created_at: expect.any(String),
          updated_at: expect.any(String)
        })
        expect(yield* service.ask(200, "GET", `/databases/${source}/restores`)).toEqual([])
        expect(yield* service.ask(409, "POST", path, { database_uuid: target })).toEqual({
          message: "Another restore of the database waits or runs: wait until it ends."
        })
        // Without a body: into the database of the backup.
        yield* service.ask(201, "POST", path)
        expect(yield* service.ask(200, "GET", `/databases/${source}/restores`)).toMatchObject([
          { database_uuid: source, timeout: 3_600 }
        ])
      })
    )
  })
}

withApi()("a restore of a backup", (it) => {
  it.effect("is rejected if the type, the version or the state does not fit, and changes nothing", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const source = yield* plantRunning("postgresql")
      const redis = yield* plantRunning("redis")
      const { path } = yield* plantBackup(source)
      const newer = yield* plantBackup(source, { image: "postgres:18" })
      const failed = yield* plantBackup(source, { status: "failed" })
      const place = { project_uuid: world.project, server_uuid: world.server, environment_name: "production" }
      const { uuid: stopped } = yield* service.ask(201, "POST", "/databases/postgresql", place)
      const problems = (at: string, body: object) => Effect.map(service.ask(400, "POST", at, body), (it) => it.errors)
      expect(yield* problems(path, { database_uuid: redis })).toEqual({
        database_uuid: ["Must be a database of the type postgresql, not redis."]
      })
      expect(yield* problems(path, { database_uuid: "gone".padEnd(24, "0") })).toEqual({
        database_uuid: ["There is no such database."]
      })
      expect(yield* problems(newer.path, {})).toEqual({
        database_uuid: [
          "Must have the version of the backup or a newer one: the backup is from postgres:18, the database has postgres:17-alpine."
        ]
      })
      expect(Object.keys(yield* problems(path, { timeout: 59, name: "x" })).sort()).toEqual(["name", "timeout"])
      expect(yield* service.ask(409, "POST", path, { database_uuid: stopped })).toEqual({
        message: "The database is stopped: start it before the restore."
      })
      expect(yield* service.ask(409, "POST", failed.path)).toEqual({
        message: "The backup is not complete: its status is failed."
      })
      yield* service.ask(404, "POST", path.replace(source, redis))
      for (const uuid of [source, redis, stopped]) {
        expect(yield* service.ask(200, "GET", `/databases/${uuid}/restores`)).toEqual([])
      }
    })
  )

  it.effect("needs the role `developer` on both databases, and hides databases of others", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const source = yield* plantRunning("postgresql")
      const target = yield* plantRunning("postgresql")
      const { path } = yield* plantBackup(source)
      const on = (role: string, uuid: string) => ({ role, type: "database", uuid }) as const
      const into = (token: string, status: number) =>
        service.ask(status, "POST", path, { database_uuid: target }, { token })
      const both = yield* makeMember(service, "both", [on("developer", source), on("developer", target)])
      const reader = yield* makeMember(service, "reader", [on("developer", source), on("viewer", target)])
      const deployer = yield* makeMember(service, "deployer", [on("deployer", source), on("developer", target)])
      const outsider = yield* makeTeam(service, "outsiders")
      yield* into(reader.token, 403)
      yield* into(deployer.token, 403)
      yield* into(outsider.token, 404)
      yield* service.ask(404, "GET", `/databases/${target}/restores`, undefined, { token: outsider.token })
      const { text: writes } = yield* service.mint("write")
      const { text: reads } = yield* service.mint("read")
      yield* into(reads, 403)
      expect(
        yield* service.ask(200, "GET", `/databases/${target}/restores`, undefined, { token: reader.token })
      ).toEqual([])
      yield* into(both.token, 201)
      yield* into(writes, 409)
    })
  )
})
