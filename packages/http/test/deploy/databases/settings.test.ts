import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { makeMember } from "../support/members.ts"

const create = Effect.fnUntraced(function* (body: object = {}) {
  const { service, world } = yield* Api
  const where = { project_uuid: world.project, server_uuid: world.server, environment_name: "production" }
  const { uuid } = yield* service.ask(201, "POST", "/databases/postgresql", { ...where, ...body })
  return { ...service, world, uuid: uuid as string, path: `/databases/${uuid}` }
})

for (const store of storeNames) {
  withApi(store)(`the settings of databases over ${store}`, (it) => {
    it.effect("include variables, with their values for tokens with read:sensitive", () =>
      Effect.gen(function* () {
        const { ask, mint, path, uuid } = yield* create()
        const { uuid: variable } = yield* ask(201, "POST", `${path}/envs`, { key: "TZ", value: "UTC", comment: "zone" })
        const shown = {
          uuid: variable,
          key: "TZ",
          value: "UTC",
          real_value: "UTC",
          comment: "zone",
          resourceable_type: "database",
          resourceable_uuid: uuid,
          is_shared: false,
          is_buildtime: false,
          is_runtime: true,
          is_preview: false,
          is_literal: false,
          is_multiline: false,
          is_shown_once: false
        }
        expect(yield* ask(200, "GET", `${path}/envs`)).toEqual([expect.objectContaining(shown)])
        const { text: token } = yield* mint("read")
        expect((yield* ask(200, "GET", `${path}/envs`, undefined, { token }))[0].value).toBeNull()
        yield* ask(409, "POST", `${path}/envs`, { key: "TZ", value: "CET" })
        const changed = yield* ask(201, "PATCH", `${path}/envs`, { key: "TZ", value: "CET", is_literal: true })
        expect(changed).toMatchObject({ ...shown, value: "CET", real_value: "CET", is_literal: true })
        const all = yield* ask(201, "PATCH", `${path}/envs/bulk`, {
          data: [
            { key: "TZ", value: "WET" },
            { key: "A", value: "b" }
          ]
        })
        expect(all.map((each: typeof shown) => [each.key, each.value])).toEqual([
          ["TZ", "WET"],
          ["A", "b"]
        ])
        expect(yield* ask(400, "POST", `${path}/envs`, { key: "POSTGRES_USER", value: "x" })).toEqual({
          message: "Validation failed.",
          errors: { key: ["Is set by the field `postgres_user`."] }
        })
        const preview = yield* ask(400, "POST", `${path}/envs`, { key: "P", value: "", is_preview: true })
        expect(Object.keys(preview.errors)).toEqual(["is_preview"])
        expect(yield* ask(200, "DELETE", `${path}/envs/${variable}`)).toEqual({
          message: "Environment variable deleted."
        })
        yield* ask(404, "DELETE", `${path}/envs/${variable}`)
        expect(yield* ask(200, "GET", `${path}/envs`)).toHaveLength(1)
      })
    )

    it.effect("include storages and tags, which the clone of a database gets", () =>
      Effect.gen(function* () {
        const { ask, path, uuid, world } = yield* create({ tags: ["shop"] })
        const body = { type: "persistent", name: "extra", mount_path: "/extra" }
        const storage = yield* ask(201, "POST", `${path}/storages`, body)
        expect(storage).toMatchObject({
          resource_uuid: uuid,
          name: "extra",
          mount_path: "/extra",
          host_path: null,
          volume_name: `${uuid}_extra`
        })
        yield* ask(409, "POST", `${path}/storages`, body)
        yield* ask(400, "POST", `${path}/storages`, { ...body, name: "data", mount_path: "/other" })
        const moved = { type: "persistent", uuid: storage.uuid, mount_path: "/moved" }
        expect((yield* ask(200, "PATCH", `${path}/storages`, moved)).mount_path).toBe("/moved")
        expect((yield* ask(201, "POST", `${path}/tags`, { tag_name: "Orders" })).map(nameOf)).toEqual([
          "Orders",
          "shop"
        ])
        const { uuid: clone } = yield* ask(201, "POST", `${path}/clone`, {
          destination_uuid: world.destination,
          name: "copy"
        })
        expect(yield* ask(200, "GET", `/databases/${clone}`)).toMatchObject({
          name: "copy",
          status: "exited:unhealthy"
        })
        const cloned = yield* ask(200, "GET", `/databases/${clone}/storages`)
        expect(cloned.persistent_storages.map((each: typeof storage) => each.volume_name)).toEqual([`${clone}_extra`])
        const tags = yield* ask(200, "GET", `/databases/${clone}/tags`)
        expect(tags.map(nameOf)).toEqual(["Orders", "shop"])
        yield* ask(200, "DELETE", `/databases/${clone}/tags/${tags[0].uuid}`)
        yield* ask(404, "DELETE", `/databases/${clone}/tags/${tags[0].uuid}`)
        expect((yield* ask(200, "GET", `${path}/tags`)).map(nameOf)).toEqual(["Orders", "shop"])
        expect(yield* ask(200, "GET", "/applications?tag=shop")).toEqual([])
        yield* ask(200, "DELETE", `${path}/storages/${storage.uuid}`)
        yield* ask(404, "DELETE", `${path}/storages/${storage.uuid}`)
        yield* ask(404, "DELETE", `${path}/storages/${cloned.persistent_storages[0].uuid}`)
        yield* ask(200, "DELETE", `/databases/${clone}`)
        yield* ask(404, "GET", `/databases/${clone}/storages`)
      })
    )
  })
}

const nameOf = ({ name }: { readonly name: string }) => name

withApi()("a database", (it) => {
  it.effect("requests a cleanup of its server when it stops with docker_cleanup", () =>
    Effect.gen(function* () {
      const { ask, path, server } = yield* create()
      const executions = Effect.map(
        ask(200, "GET", `/servers/${server}/docker-cleanup/executions`),
        (all) => all.length
      )
      yield* ask(200, "POST", `${path}/stop`)
      yield* ask(200, "POST", `${path}/stop?docker_cleanup=false`)
      expect(yield* executions).toBe(0)
      yield* ask(200, "POST", `${path}/stop?docker_cleanup=true`)
      expect(yield* executions).toBe(1)
      yield* ask(400, "POST", `${path}/stop?docker_cleanup=maybe`)
    })
  )

  it.effect("does not stop with docker_cleanup for callers that may not clean up the server", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const { ask } = service
      const { uuid: server } = yield* ask(201, "POST", "/servers", { name: "uncleaned", ip: "10.2.2.4" })
      const where = { project_uuid: world.project, server_uuid: server, environment_name: "production" }
      const path = `/databases/${(yield* ask(201, "POST", "/databases/postgresql", where)).uuid}`
      const { uuid: application } = yield* ask(201, "POST", "/applications/dockerimage", {
        ...where,
        docker_registry_image_name: "nginx",
        ports_exposes: "80"
      })
      const { token } = yield* makeMember(service, "deployer", [{ role: "deployer" }])
      const before = yield* ask(200, "GET", path)
      for (const resource of [path, `/applications/${application}`]) {
        const refused = yield* ask(403, "POST", `${resource}/stop?docker_cleanup=true`, undefined, { token })
        expect(refused.message).toContain("server.cleanup.run")
      }
      expect(yield* ask(200, "GET", path)).toEqual(before)
      expect(yield* ask(200, "GET", `/deployments/applications/${application}`)).toEqual({ count: 0, deployments: [] })
      expect(yield* ask(200, "GET", `/servers/${server}/docker-cleanup/executions`)).toEqual([])
      yield* ask(200, "POST", `/applications/${application}/stop`, undefined, { token })
      yield* ask(200, "POST", `/applications/${application}/stop?docker_cleanup=true`)
      expect(yield* ask(200, "GET", `/servers/${server}/docker-cleanup/executions`)).toHaveLength(1)
    })
  )

  it.effect("has a configuration file in base64, and a health check", () =>
    Effect.gen(function* () {
      const { ask, path } = yield* create({ postgres_conf: btoa("max_connections = 7") })
      expect(yield* ask(200, "GET", path)).toMatchObject({
        postgres_conf: "max_connections = 7",
        health_check_enabled: true,
        health_check_interval: 5,
        health_check_timeout: 5,
        health_check_retries: 10,
        health_check_start_period: 600
      })
      const change = { postgres_conf: "", health_check_enabled: false, health_check_interval: 9 }
      expect(yield* ask(200, "PATCH", path, change)).toMatchObject(change)
      const refused = yield* ask(400, "PATCH", path, { postgres_conf: "max_connections = 7", redis_conf: btoa("a") })
      expect(refused.errors).toEqual({ postgres_conf: ["Must be the text of a file in base64."] })
      expect((yield* ask(400, "PATCH", path, { redis_conf: btoa("a") })).errors).toEqual({
        redis_conf: ["This field is not allowed."]
      })
    })
  )

  it.effect("has files, and shows their content only to tokens with read:sensitive", () =>
    Effect.gen(function* () {
      const { ask, dump, mint, path } = yield* create()
      const body = { type: "file", mount_path: "/etc/app/secret.conf", content: "password = p4ss" }
      const file = yield* ask(201, "POST", `${path}/storages`, body)
      expect(file).toMatchObject({
        name: "secret.conf",
        mount_path: "/etc/app/secret.conf",
        content: "password = p4ss",
        host_path: null,
        volume_name: null
      })
      expect(yield* ask(200, "GET", `${path}/storages`)).toEqual({ persistent_storages: [], file_storages: [file] })
      expect(JSON.stringify(yield* dump)).not.toContain("p4ss")
      const { text: token } = yield* mint("read")
      const shown = yield* ask(200, "GET", `${path}/storages`, undefined, { token })
      expect(shown.file_storages[0].content).toBeNull()
      const named = { type: "file", uuid: file.uuid }
      expect((yield* ask(200, "PATCH", `${path}/storages`, { ...named, content: "changed" })).content).toBe("changed")
      const errorsOf = (method: string, sent: object) =>
        Effect.map(ask(400, method, `${path}/storages`, sent), ({ errors }) => errors)
      expect(yield* errorsOf("POST", { ...body, content: undefined, host_path: "/srv" })).toEqual({
        content: ["Is required for the type file."],
        host_path: ["Is not allowed for the type file."]
      })
      expect(yield* errorsOf("POST", { ...body, type: "persistent" })).toEqual({
        name: ["Is required for the type persistent."],
        content: ["Is not allowed for the type persistent."]
      })
      expect(yield* errorsOf("POST", { ...body, mount_path: "/var/lib/pgdata" })).toEqual({
        mount_path: ["Is the directory of a volume that every database of this type has."]
      })
      const directory = { type: "file", is_directory: true, mount_path: "/extra" }
      expect(yield* errorsOf("POST", { ...directory, content: "text" })).toEqual({
        fs_path: ["Is required for a directory."],
        content: ["Is not allowed for a directory."]
      })
      expect(yield* errorsOf("POST", { ...body, fs_path: "/srv" })).toEqual({
        fs_path: ["Is not allowed for the type file."]
      })
      expect(yield* errorsOf("POST", { ...directory, fs_path: "/srv" })).toEqual({
        host_path: ["This instance does not allow containers to mount server paths."]
      })
      expect(yield* errorsOf("PATCH", { ...named, type: "persistent" })).toEqual({
        type: ["Must be the type of the storage."]
      })
      expect(yield* errorsOf("PATCH", { ...named, host_path: "/srv" })).toEqual({
        host_path: ["A file has no path of the server."]
      })
    })
  )

  it.effect("moves to another destination of its server while it runs, and not to an unknown one", () =>
    Effect.gen(function* () {
      const { ask, path, server } = yield* create()
      const destination = yield* ask(201, "POST", `/servers/${server}/destinations`, { name: "two", network: "two" })
      expect(yield* ask(200, "POST", `${path}/migrate`, { destination_uuid: destination.uuid })).toMatchObject({
        message: "Database migrated; its next start uses the new destination."
      })
      expect((yield* ask(200, "GET", path)).destination_uuid).toBe(destination.uuid)
      yield* ask(400, "POST", `${path}/migrate`, { destination_uuid: "nowhere00000000000000000" })
      yield* ask(400, "POST", `${path}/clone`, { destination_uuid: "nowhere00000000000000000" })
      // The data stays, so no request may believe that it moved.
      yield* ask(400, "POST", `${path}/migrate`, { destination_uuid: destination.uuid, migrate_volumes: true })
    })
  )
})
