import { expect } from "@effect/vitest"
import { type BackupRun, type BackupRunUuid, BackupStore, type BackupUuid } from "@slipway/domain/deploy/databases"
import type { S3StorageUuid } from "@slipway/domain/deploy/infrastructure"
import { BucketSimulation } from "@slipway/memory/deploy"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { makeTeam } from "../support/members.ts"

const body = {
  name: "off-site",
  endpoint: "https://s3.example/storage",
  bucket: "backups",
  region: "eu-north-7",
  key: "AKIAEXAMPLE",
  secret: "the-secret/key+"
}
const recipient = `age1${"x".repeat(58)}`

for (const store of storeNames) {
  withApi(store)(`S3 storages over ${store}`, (it) => {
    it.effect("are created, returned without their keys, tested, changed and deleted (I15)", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const buckets = yield* service.within(BucketSimulation)
        const { uuid } = yield* service.ask(201, "POST", "/s3-storages", body)
        const path = `/s3-storages/${uuid}`
        const shown = yield* service.ask(200, "GET", path)
        const { key: _key, secret: _secret, ...visible } = body
        expect(shown).toEqual({
          ...visible,
          id: shown.id,
          uuid,
          description: "",
          is_usable: true,
          age_recipient: null,
          team_id: 0,
          created_at: expect.any(String),
          updated_at: expect.any(String)
        })
        expect(yield* service.ask(200, "GET", "/s3-storages")).toContainEqual(shown)
        const stored = JSON.stringify(yield* service.dump)
        for (const secret of [body.key, body.secret]) expect(stored).not.toContain(secret)

        expect(yield* service.ask(200, "POST", `${path}/validate`)).toEqual({
          valid: false,
          message: "The connection failed: the S3 server responds with 404: NoSuchBucket."
        })
        expect((yield* service.ask(200, "GET", path)).is_usable).toBe(false)
        yield* buckets.create("other", "another-secret")
        const change = { bucket: "other", secret: "another-secret", age_recipient: recipient, description: null }
        expect(yield* service.ask(200, "PATCH", path, change)).toMatchObject({
          name: "off-site",
          bucket: "other",
          description: "",
          is_usable: false,
          age_recipient: recipient
        })
        expect(yield* service.ask(200, "POST", `${path}/validate`)).toEqual({
          valid: true,
          message: "S3 storage connection is valid."
        })
        expect((yield* service.ask(200, "GET", path)).is_usable).toBe(true)
        // The result of the test does not hold for another address or key.
        expect((yield* service.ask(200, "PATCH", path, { name: "renamed", bucket: "other" })).is_usable).toBe(true)
        expect((yield* service.ask(200, "PATCH", path, { region: "eu-west-1" })).is_usable).toBe(false)
        expect((yield* service.ask(200, "PATCH", path, { is_usable: true })).is_usable).toBe(true)
        expect((yield* service.ask(200, "PATCH", path, { key: "another" })).is_usable).toBe(false)
        expect(yield* service.ask(200, "DELETE", path)).toEqual({ message: "S3 storage deleted." })
        expect(yield* service.ask(404, "GET", path)).toEqual({ message: "S3 storage not found." })
      })
    )

    it.effect("are hidden from other teams, and never receive backups of other teams", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { id, token } = yield* makeTeam(service, "other")
        const own = yield* service.ask(201, "POST", "/s3-storages", body)
        const foreign = yield* service.ask(201, "POST", "/s3-storages", { ...body, name: "foreign" }, { token })
        const listed = yield* service.ask(200, "GET", "/s3-storages", undefined, { token })
        expect(listed.map((each: typeof foreign) => [each.name, each.team_id])).toEqual([["foreign", id]])
        yield* service.ask(404, "GET", `/s3-storages/${own.uuid}`, undefined, { token })
        yield* service.ask(404, "DELETE", `/s3-storages/${foreign.uuid}`)
        const { uuid } = yield* service.ask(201, "POST", "/databases/redis", {
          project_uuid: world.project,
          server_uuid: world.server,
          environment_name: "production"
        })
        const backup = { frequency: "daily", save_s3: true, s3_storage_uuid: foreign.uuid }
        const refused = yield* service.ask(400, "POST", `/databases/${uuid}/backups`, backup)
        expect(refused.errors).toEqual({ s3_storage_uuid: ["There is no such S3 storage."] })
        yield* service.ask(200, "DELETE", `/s3-storages/${own.uuid}`)
      })
    )

    it.effect("receive the backups of schedules, which keep them from deletion", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const storage = yield* service.ask(201, "POST", "/s3-storages", body)
        const { uuid } = yield* service.ask(201, "POST", "/databases/mysql", {
          project_uuid: world.project,
          server_uuid: world.server,
          environment_name: "production"
        })
        const path = `/databases/${uuid}/backups`
        const settings = {
          database_backup_retention_amount_locally: 3,
          database_backup_retention_days_locally: 14,
          database_backup_retention_max_storage_locally: 0.5,
          save_s3: true,
          s3_storage_uuid: storage.uuid,
          disable_local_backup: true,
          database_backup_retention_amount_s3: 30,
          database_backup_retention_days_s3: 90,
          database_backup_retention_max_storage_s3: 20,
          databases_to_backup: "shop,orders",
          dump_all: false,
          timeout: 600
        }
        const made = yield* service.ask(201, "POST", path, {
          ...settings,
          frequency: "daily",
          databases_to_backup: " shop, orders"
        })
        const [shown] = yield* service.ask(200, "GET", path)
        expect(shown).toMatchObject(settings)
        const one = `${path}/${made.uuid}`
        expect(yield* service.ask(200, "PATCH", one, { dump_all: true, databases_to_backup: null })).toMatchObject({
          ...settings,
          dump_all: true,
          databases_to_backup: null
        })
        expect(yield* service.ask(409, "DELETE", `/s3-storages/${storage.uuid}`)).toEqual({
          message: "Still in use by at least one backup; nothing was deleted."
        })
        const run: BackupRun = {
          uuid: "run".padEnd(24, "0") as BackupRunUuid,
          backupUuid: made.uuid as BackupUuid,
          status: "success",
          message: "",
          size: 5,
          dumpsAll: true,
          databases: [],
          image: null,
          isLocal: false,
          object: { storageUuid: storage.uuid as S3StorageUuid, key: "slipway/databases/x/y.sql.age" },
          startedAt: "2026-11-27T01:02:03.000Z",
          finishedAt: "2026-11-27T01:02:04.000Z"
        }
        yield* service.within(
          Effect.flatMap(BackupStore, (backups) =>
            Effect.andThen(backups.begin(run.backupUuid, null, run), backups.finish(run))
          )
        )
        expect(yield* service.ask(200, "GET", `${one}/executions`)).toEqual({
          executions: [
            {
              uuid: run.uuid,
              status: "success",
              message: "",
              filename: `mysql-2026-11-27T01-02-03-${run.uuid}.sql`,
              is_local: false,
              s3_uploaded: true,
              s3_storage_uuid: storage.uuid,
              s3_key: "slipway/databases/x/y.sql.age",
              size: 5,
              created_at: "2026-11-27T01:02:03.000Z",
              finished_at: "2026-11-27T01:02:04.000Z"
            }
          ]
        })
        // The bucket does not exist.
        expect(yield* service.ask(502, "DELETE", `${one}/executions/${run.uuid}?delete_s3=true`)).toEqual({
          message: "The request to the S3 storage failed: the S3 server responds with 404: NoSuchBucket."
        })
        expect(yield* service.ask(200, "DELETE", `${one}/executions/${run.uuid}`)).toEqual({
          message: "Backup execution deleted."
        })
        yield* service.ask(404, "DELETE", `${one}/executions/${run.uuid}`)
        yield* service.ask(200, "DELETE", one)
        yield* service.ask(200, "DELETE", `/s3-storages/${storage.uuid}`)
      })
    )
  })
}

withApi()("an S3 storage", (it) => {
  it.effect("reports all errors of a body together, and changes nothing", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const before = yield* service.dump
      const { errors } = yield* service.ask(400, "POST", "/s3-storages", {
        name: "",
        endpoint: "https://user:password@s3.example",
        bucket: "../other",
        region: "",
        key: "a b",
        secret: "",
        port: 1
      })
      expect(errors).toEqual({
        name: ["Must not be empty."],
        endpoint: ["Must be an http(s) URL without user, query or fragment."],
        bucket: ["Must be letters, digits, dots, `_` and `-`."],
        region: ["Must not be empty."],
        key: ["Must be printable ASCII characters without spaces."],
        secret: ["Must not be empty."],
        port: ["This field is not allowed."]
      })
      const wrong = yield* service.ask(400, "POST", "/s3-storages", { ...body, age_recipient: "age1x" })
      expect(wrong.errors).toEqual({
        age_recipient: ["Must be an age recipient (age1…), as `age-keygen` prints it, or null."]
      })
      expect(yield* service.dump).toEqual(before)
    })
  )

  it.effect("is changed and tested only by tokens with `write`", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const { uuid } = yield* service.ask(201, "POST", "/s3-storages", body)
      const { text: token } = yield* service.mint("read", "read:sensitive", "deploy")
      const as = { token }
      yield* service.ask(200, "GET", `/s3-storages/${uuid}`, undefined, as)
      yield* service.ask(403, "POST", "/s3-storages", body, as)
      yield* service.ask(403, "PATCH", `/s3-storages/${uuid}`, { name: "x" }, as)
      yield* service.ask(403, "POST", `/s3-storages/${uuid}/validate`, undefined, as)
      yield* service.ask(403, "DELETE", `/s3-storages/${uuid}`, undefined, as)
    })
  )
})
