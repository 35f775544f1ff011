import { Effect } from "effect"
import type { Run } from "./Run.ts"

/** Calls each endpoint of the backups of a storage. `template` and `path` are those of the storage. */
export const runStorageBackups = Effect.fnUntraced(function* (run: Run, template: string, path: string) {
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
  yield* run(200, "PUT", ...at(), { frequency: "daily", s3_storage_uuid: uuid, save_s3: true })
  yield* run(200, "POST", ...at("/run"))
  yield* run(200, "GET", ...at())
  yield* run(200, "DELETE", ...at())
  yield* run(404, "DELETE", ...at())
})
