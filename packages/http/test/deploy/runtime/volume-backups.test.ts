import { expect } from "@effect/vitest"
import { VolumeBackupRunUuid, VolumeBackupStore, VolumeBackupUuid } from "@slipway/domain/deploy/databases"
import { S3StorageUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"

const s3 = {
  name: "off-site",
  endpoint: "https://s3.example.com",
  region: "eu-north-7",
  bucket: "backups",
  key: "key",
  secret: "secret"
}

for (const store of storeNames) {
  withApi(store)(`backups of storages over ${store}`, (it) => {
    it.effect("have a schedule, which keeps omitted settings", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const { uuid: s3Storage } = yield* ask(201, "POST", "/s3-storages", s3)
        const application = yield* world.create("dockerimage")
        const disk = { type: "persistent", name: "data", mount_path: "/data" }
        const { uuid: storage } = yield* ask(201, "POST", `/applications/${application}/storages`, disk)
        const path = `/applications/${application}/storages/${storage}/backups`
        expect(yield* ask(404, "GET", path)).toEqual({ message: "Backup schedule not found." })
        const { uuid, ...saved } = yield* ask(200, "PUT", path, {
          frequency: "0 3 * * *",
          s3_storage_uuid: s3Storage,
          retention_days_s3: 30
        })
        expect(saved).toEqual({
          message: "Backup schedule saved.",
          storage_uuid: storage,
          storage_type: "persistent",
          frequency: "0 3 * * *",
          enabled: true,
          save_s3: true,
          s3_storage_uuid: s3Storage,
          disable_local_backup: true,
          stop_during_backup: false,
          retention_amount_s3: 7,
          retention_days_s3: 30,
          retention_max_storage_s3: 0,
          retention_amount_locally: 0,
          retention_days_locally: 0,
          retention_max_storage_locally: 0,
          timeout: 3_600,
          next_run_at: expect.stringMatching(/T03:00:00\.000Z$/)
        })
        expect(yield* ask(200, "PUT", path, { enabled: false })).toMatchObject({
          uuid,
          frequency: "0 3 * * *",
          retention_days_s3: 30,
          next_run_at: null
        })
        expect(yield* ask(200, "POST", `${path}/run`)).toEqual({ message: "Backup queued." })
        expect(yield* ask(200, "GET", path)).toMatchObject({ uuid, executions: [] })
        yield* ask(409, "DELETE", `/s3-storages/${s3Storage}`)
        expect(yield* ask(200, "DELETE", path)).toEqual({ message: "Backup schedule deleted." })
        yield* ask(404, "POST", `${path}/run`)
        yield* ask(200, "DELETE", `/s3-storages/${s3Storage}`)
        // A storage of another resource is missing here.
        const other = yield* world.create("dockerimage")
        yield* ask(404, "GET", `/applications/${other}/storages/${storage}/backups`)
      })
    )
  })
}

withApi()("a backup of a storage", (it) => {
  it.effect("is restored by a request, unless it does not exist or another restore waits", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const { ask } = service
      const { uuid: s3Storage } = yield* ask(201, "POST", "/s3-storages", s3)
      const where = { project_uuid: world.project, server_uuid: world.server, environment_name: "production" }
      const { uuid: database } = yield* ask(201, "POST", "/databases/redis", where)
      const disk = { type: "persistent", name: "more", mount_path: "/more" }
      const { uuid: storage } = yield* ask(201, "POST", `/databases/${database}/storages`, disk)
      const path = `/databases/${database}/storages/${storage}`
      const run = "run000000000000000000000"
      const restore = `${path}/backups/${run}/restore`
      expect(yield* ask(404, "POST", restore)).toEqual({ message: "Backup schedule not found." })
      const schedule = { frequency: "daily", s3_storage_uuid: s3Storage }
      const { uuid: backup } = yield* ask(200, "PUT", `${path}/backups`, schedule)
      expect(yield* ask(404, "POST", restore)).toEqual({ message: "Backup execution not found." })
      yield* service.within(
        Effect.flatMap(VolumeBackupStore, (store) =>
          store.begin(VolumeBackupUuid.make(backup), null, {
            uuid: VolumeBackupRunUuid.make(run),
            backupUuid: VolumeBackupUuid.make(backup),
            status: "success",
            message: "",
            size: 1,
            object: { storageUuid: S3StorageUuid.make(s3Storage), key: "key.tar" },
            startedAt: "2026-11-27T03:00:00.000Z",
            finishedAt: "2026-11-27T03:00:01.000Z"
          })
        )
      )
      const { uuid, message } = yield* ask(201, "POST", restore, { timeout: 90 })
      expect(message).toBe("Restore requested.")
      expect(yield* ask(200, "GET", `${path}/restores`)).toEqual([
        {
          uuid,
          id: expect.any(Number),
          storage_uuid: storage,
          execution_uuid: run,
          status: "queued",
          message: null,
          timeout: 90,
          started_at: null,
          finished_at: null,
          created_at: expect.any(String),
          updated_at: expect.any(String)
        }
      ])
      expect(yield* ask(409, "POST", restore)).toEqual({
        message: "Another restore of the storage waits or runs: wait until it ends."
      })
    })
  )

  it.effect("rejects options without effect, and S3 storages that do not exist", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const { ask } = service
      const where = { project_uuid: world.project, server_uuid: world.server, environment_name: "production" }
      const { uuid: database } = yield* ask(201, "POST", "/databases/redis", where)
      const disk = { type: "persistent", name: "more", mount_path: "/more" }
      const { uuid: storage } = yield* ask(201, "POST", `/databases/${database}/storages`, disk)
      const refused = yield* ask(400, "PUT", `/databases/${database}/storages/${storage}/backups`, {
        frequency: "daily",
        save_s3: false,
        disable_local_backup: false,
        stop_during_backup: true,
        retention_amount_locally: 3
      })
      expect(refused.errors).toEqual({
        save_s3: ["Must be true: backups of storages are stored in S3."],
        disable_local_backup: ["Must be true: backups of storages are stored only in S3."],
        stop_during_backup: ["Must be false: containers run during a backup."],
        retention_amount_locally: ["This field is not allowed."]
      })
      const missing = yield* ask(400, "PUT", `/databases/${database}/storages/${storage}/backups`, {
        frequency: "daily",
        s3_storage_uuid: "nowhere00000000000000000"
      })
      expect(missing.errors).toEqual({ s3_storage_uuid: ["There is no such S3 storage."] })
    })
  )
})
