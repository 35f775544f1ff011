import { DeliveryStore, type DeliveryUuid } from "@slipway/domain/deploy/apps"
import { type BackupRunUuid, BackupStore, type BackupUuid } from "@slipway/domain/deploy/databases"
import { ForgeAppStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Service } from "./harness.ts"
import { newKey } from "./harness.ts"
import { makeAccount } from "./members.ts"

/** The resources that parts belong to, by their uuids. */
interface Wholes {
  readonly application: string
  readonly database: string
  readonly destination: string
  readonly project: string
  readonly server: string
  readonly service: string
}

/** Creates one part of each type in the root team; `of` returns the uuid of a parameter of a path. */
export const plantParts = Effect.fnUntraced(function* (
  service: Service,
  { application, database, destination, project, server, service: stack }: Wholes
) {
  const { ask, within } = service
  const found = new Map<string, string>()
  const post = (path: string, body: object) => ask(201, "POST", path, body)
  const variable = { key: "KEY", value: "1" }
  for (const path of [`/applications/${application}`, `/databases/${database}`, `/services/${stack}`]) {
    const kind = path.split("/")[1] ?? ""
    found.set(`${kind} env_uuid`, (yield* post(`${path}/envs`, variable)).uuid)
    const [tag] = yield* post(`${path}/tags`, { tag_name: "part" })
    found.set(`${kind} tag`, tag.uuid)
    const { applications = [] } = yield* ask(200, "GET", path)
    const volume = { type: "persistent", name: "extra", mount_path: "/extra" }
    const stored = kind === "services" ? { ...volume, resource_uuid: applications[0].uuid } : volume
    found.set(`${kind} storage_uuid`, (yield* post(`${path}/storages`, stored)).uuid)
    if (kind === "databases") continue
    const task = { name: "task", command: "true", frequency: "daily" }
    found.set(`${kind} task_uuid`, (yield* post(`${path}/scheduled-tasks`, task)).uuid)
  }
  const { applications, databases } = yield* ask(200, "GET", `/services/${stack}`)
  found.set("services app_uuid", applications[0].uuid).set("services database_uuid", databases[0].uuid)
  const schedule: BackupUuid = (yield* post(`/databases/${database}/backups`, { frequency: "daily" })).uuid
  const run = "backup1".padEnd(24, "0") as BackupRunUuid
  yield* within(
    Effect.flatMap(BackupStore, (store) =>
      store.begin(schedule, null, {
        uuid: run,
        backupUuid: schedule,
        status: "running",
        message: "",
        size: null,
        dumpsAll: false,
        databases: [],
        image: "redis",
        isLocal: true,
        object: null,
        startedAt: "2026-11-27T01:02:03.000Z",
        finishedAt: null
      })
    )
  )
  found.set("databases scheduled_backup_uuid", schedule).set("databases execution_uuid", run)
  for (const [name, path] of [
    ["team", "/team"],
    ["project", `/projects/${project}`],
    ["environment", `/projects/${project}/environments/production`],
    ["server", `/servers/${server}`]
  ] as const) {
    found.set(`${name} env_id`, (yield* post(`${path}/envs`, variable)).uuid)
  }
  const { deployments } = yield* ask(200, "POST", `/deploy?uuid=${application}`)
  const where = {
    project_uuid: project,
    environment_name: "production",
    server_uuid: server,
    destination_uuid: destination
  }
  const { uuid: former } = yield* post("/applications/dockerimage", { ...where, docker_registry_image_name: "nginx" })
  const deleted = yield* service.send("DELETE", `/api/v1/applications/${former}`)
  const delivery = "delivery1".padEnd(24, "0") as DeliveryUuid
  yield* within(
    Effect.flatMap(DeliveryStore, (store) =>
      store.insert({
        uuid: delivery,
        applicationUuid: application as never,
        provider: "github",
        bodyDigest: "1".padStart(64, "0"),
        event: "push",
        deliveryId: null,
        branch: null,
        commit: null,
        pullRequestId: null,
        pullRequestAt: null,
        author: null,
        message: null,
        outcome: "ignored",
        reason: null,
        deploymentUuid: null,
        replays: 0,
        replayedAt: null,
        receivedAt: "2026-11-27T01:02:03.000Z"
      })
    )
  )
  const key: string = (yield* post("/security/keys", { private_key: newKey() })).uuid
  const app = { name: "connected", html_url: "https://forge.example", app_id: 8, installation_id: 9 }
  const connection: string = (yield* post("/forge-apps", {
    ...app,
    client_id: "c",
    client_secret: "s",
    private_key_uuid: key
  })).uuid
  yield* within(
    Effect.gen(function* () {
      const store = yield* ForgeAppStore
      const row = yield* store.find(connection as never)
      if (row === undefined) return
      const connected = {
        account: "robot",
        token: "sealed" as never,
        platformUrl: "https://deploy.example",
        sshPort: 22,
        rejection: null,
        tokenSince: "2026-01-01T00:00:00.000Z",
        rotation: null,
        clientSince: null,
        clientRotation: null
      }
      yield* store.replace({ ...row, connection: connected })
    })
  )
  const { uuid: account } = yield* makeAccount(service, "part")
  const { uuid: member } = yield* makeAccount(service, "member")
  yield* ask(201, "POST", "/teams/0/members", { account_uuid: member })
  const onTeam = { place_type: "team", role: "viewer" }
  const people: Readonly<Record<string, string>> = {
    role: (yield* post("/roles", { name: "part", capabilities: ["view"] })).uuid,
    grant: (yield* post("/grants", { account_uuid: member, ...onTeam })).uuid,
    invitation: (yield* post("/teams/0/invitations", { account_uuid: account, ...onTeam })).uuid,
    group: (yield* post("/teams/0/groups", { name: "part" })).uuid
  }
  const token: string = (yield* ask(200, "GET", "/token")).uuid
  const of = (template: string, name: string): string | undefined => {
    const [, kind = ""] = /^\/api\/v1\/(\w+)/.exec(template) ?? []
    if (name !== "env_id") return found.get(`${kind} ${name}`)
    const scope = template.includes("/environments/") ? "environment" : kind.replace(/s$/, "")
    return found.get(`${scope} env_id`)
  }
  return {
    of,
    people,
    token,
    connection,
    delivery: delivery as string,
    deletion: deleted.headers.get("location")?.split("/").at(-1) ?? "",
    deployment: deployments[0].deployment_uuid as string
  }
})
