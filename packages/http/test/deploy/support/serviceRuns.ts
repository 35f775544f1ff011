import { Effect } from "effect"
import type { Run } from "./Run.ts"
import { type AddBackup, runStorageBackups } from "./storageRuns.ts"
import type { World } from "./world.ts"

/** Calls each endpoint of one service and of its parts. */
export const runService = Effect.fnUntraced(function* (run: Run, addBackup: AddBackup, world: World) {
  yield* run(200, "GET", "/service-templates", "/service-templates")
  const { uuid } = yield* run(201, "POST", "/services", "/services", {
    project_uuid: world.project,
    server_uuid: world.server,
    environment_name: "production",
    docker_compose_raw: '{"services": {"web": {"image": "nginx:1"}, "db": {"image": "postgres:17"}}}'
  })
  const at = (rest: string) => [`/services/{uuid}${rest}`, `/services/${uuid}${rest}`] as const
  yield* run(404, "GET", ...at("/template"))
  const { uuid: templated } = yield* run(201, "POST", "/services", "/services", {
    project_uuid: world.project,
    server_uuid: world.server,
    environment_name: "production",
    type: "uptime-kuma"
  })
  yield* run(200, "GET", "/services/{uuid}/template", `/services/${templated}/template`)
  yield* run(200, "POST", "/services/{uuid}/template", `/services/${templated}/template`)
  for (const what of ["start", "stop", "restart"]) yield* run(200, "POST", ...at(`/${what}`))
  yield* run(200, "GET", ...at("/status"))
  yield* run(200, "GET", ...at("/logs"))
  for (const [noun, parameter] of [
    ["applications", "app_uuid"],
    ["databases", "database_uuid"]
  ] as const) {
    const [part] = yield* run(200, "GET", ...at(`/${noun}`))
    const ofPart = (rest: string) =>
      [`/services/{uuid}/${noun}/{${parameter}}${rest}`, `/services/${uuid}/${noun}/${part.uuid}${rest}`] as const
    yield* run(200, "GET", ...ofPart(""))
    yield* run(200, "PATCH", ...ofPart(""), { human_name: "a part" })
    yield* run(200, "GET", ...ofPart("/logs"))
    if (noun === "applications") yield* run(200, "POST", ...ofPart("/logs"))
    for (const what of ["restart", "stop", "start"]) yield* run(200, "POST", ...ofPart(`/${what}`))
    const disk = { type: "persistent", name: "data", mount_path: `/${noun}`, resource_uuid: part.uuid }
    const storage = yield* run(201, "POST", ...at("/storages"), disk)
    yield* run(409, "POST", ...at("/storages"), disk)
    yield* run(200, "PATCH", ...at("/storages"), { type: "persistent", uuid: storage.uuid, name: "more" })
    yield* run(200, "GET", ...at("/storages"))
    const oneStorage = [`${at("/storages")[0]}/{storage_uuid}`, `${at("/storages")[1]}/${storage.uuid}`] as const
    yield* runStorageBackups(run, addBackup, ...oneStorage)
    yield* run(200, "DELETE", ...oneStorage)
    yield* run(404, "GET", ofPart("")[0], `/services/${uuid}/${noun}/nowhere`)
  }
  const { uuid: variable } = yield* run(201, "POST", ...at("/envs"), { key: "A", value: "a" })
  yield* run(409, "POST", ...at("/envs"), { key: "A", value: "b" })
  yield* run(201, "PATCH", ...at("/envs"), { key: "A", value: "b" })
  yield* run(201, "PATCH", ...at("/envs/bulk"), { data: [{ key: "A", value: "c" }] })
  yield* run(200, "GET", ...at("/envs"))
  yield* run(200, "DELETE", `${at("/envs")[0]}/{env_uuid}`, `${at("/envs")[1]}/${variable}`)
  const [tag] = yield* run(201, "POST", ...at("/tags"), { tag_name: "of a service" })
  yield* run(200, "GET", ...at("/tags"))
  yield* run(200, "DELETE", `${at("/tags")[0]}/{tag}`, `${at("/tags")[1]}/${tag.uuid}`)
  const nightly = { name: "nightly", command: "true", frequency: "daily" }
  const task = yield* run(201, "POST", ...at("/scheduled-tasks"), nightly)
  const ofTask = [`${at("/scheduled-tasks")[0]}/{task_uuid}`, `${at("/scheduled-tasks")[1]}/${task.uuid}`] as const
  yield* run(200, "GET", ...at("/scheduled-tasks"))
  yield* run(200, "PATCH", ...ofTask, { enabled: false })
  yield* run(200, "POST", `${ofTask[0]}/execute`, `${ofTask[1]}/execute`)
  yield* run(200, "GET", `${ofTask[0]}/executions`, `${ofTask[1]}/executions`)
  yield* run(200, "DELETE", ...ofTask)
  yield* run(200, "POST", ...at("/move"), { environment_uuid: world.environment })
  yield* run(200, "POST", ...at("/migrate"), { destination_uuid: world.destination })
  yield* run(201, "POST", ...at("/clone"), { destination_uuid: world.destination })
})
