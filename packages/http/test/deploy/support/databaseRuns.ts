import { Effect } from "effect"
import type { Run } from "./Run.ts"
import { type AddBackup, runStorageBackups } from "./storageRuns.ts"
import type { World } from "./world.ts"

/** Calls each endpoint of the variables, storages, tags and moves of a database. */
export const runDatabaseSettings = Effect.fnUntraced(function* (
  run: Run,
  addBackup: AddBackup,
  world: World,
  uuid: string
) {
  const at = (rest: string) => [`/databases/{uuid}${rest}`, `/databases/${uuid}${rest}`] as const
  const below = (rest: string, parameter: string, named: string) =>
    [`${at(rest)[0]}/{${parameter}}`, `${at(rest)[1]}/${named}`] as const
  const { uuid: variable } = yield* run(201, "POST", ...at("/envs"), { key: "A", value: "a" })
  yield* run(409, "POST", ...at("/envs"), { key: "A", value: "b" })
  yield* run(201, "PATCH", ...at("/envs"), { key: "A", value: "b" })
  yield* run(201, "PATCH", ...at("/envs/bulk"), { data: [{ key: "A", value: "c" }] })
  yield* run(200, "GET", ...at("/envs"))
  yield* run(200, "DELETE", ...below("/envs", "env_uuid", variable))
  const disk = { type: "persistent", name: "more", mount_path: "/more" }
  const storage = yield* run(201, "POST", ...at("/storages"), disk)
  yield* run(409, "POST", ...at("/storages"), disk)
  yield* run(200, "PATCH", ...at("/storages"), { type: "persistent", uuid: storage.uuid, name: "other" })
  yield* run(200, "GET", ...at("/storages"))
  yield* runStorageBackups(run, addBackup, ...below("/storages", "storage_uuid", storage.uuid))
  yield* run(200, "DELETE", ...below("/storages", "storage_uuid", storage.uuid))
  const [tag] = yield* run(201, "POST", ...at("/tags"), { tag_name: "of a database" })
  yield* run(200, "GET", ...at("/tags"))
  yield* run(200, "DELETE", ...below("/tags", "tag", tag.uuid))
  const there = { destination_uuid: world.destination }
  yield* run(200, "POST", ...at("/migrate"), there)
  const { uuid: clone } = yield* run(201, "POST", ...at("/clone"), there)
  yield* run(200, "DELETE", "/databases/{uuid}", `/databases/${clone}`)
})
