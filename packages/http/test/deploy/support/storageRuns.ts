import { Effect } from "effect"
import type { Run } from "./Run.ts"

/** Adds a successful backup to the schedule of a storage, and returns its uuid. */
export type AddBackup = (schedule: string, s3Storage: string) => Effect.Effect<string>

/** Calls each endpoint of the backups of a storage. `template` and `path` are those of the storage. */
export const runStorageBackups = Effect.fnUntraced(function* (
  run: Run,
  addBackup: AddBackup,
  template: string,
  path: string
) {
  const at = (rest = "") => [`${template}/backups${rest}`, `${path}/backups${rest}`] as const
  const { uuid } = yield* run(201, "POST", "/s3-storages", "/s3-storages", {
    name: "of storages",
    endpoint: "https://s3.example.com",
    region: "eu-north-7",
    bucket: "storages",
    key: "key",
    secret: "secret"
  })
  yield* run(404, "GET", ...at())
  yield* run(404, "POST", ...at("/run"))
  yield* run(400, "PUT", ...at(), { frequency: "daily" })
  const schedule = yield* run(200, "PUT", ...at(), { frequency: "daily", s3_storage_uuid: uuid, save_s3: true })
  yield* run(200, "POST", ...at("/run"))
  yield* run(200, "GET", ...at())
  const one = (backup: string) =>
    [`${template}/backups/{execution_uuid}/restore`, `${path}/backups/${backup}/restore`] as const
  yield* run(404, "POST", ...one("aaaaaaaaaaaaaaaaaaaaaaaa"))
  const backup = yield* addBackup(schedule.uuid, uuid)
  yield* run(201, "POST", ...one(backup))
  yield* run(409, "POST", ...one(backup))
  yield* run(200, "GET", `${template}/restores`, `${path}/restores`)
  yield* run(200, "DELETE", ...at())
  yield* run(404, "DELETE", ...at())
})
