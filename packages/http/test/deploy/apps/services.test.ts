import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { wrongFields } from "../support/harness.ts"

const uuid = expect.stringMatching(/^[a-z0-9]{24}$/)
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const stamps = { id: expect.any(Number), uuid, created_at: moment, updated_at: moment }

// JSON is YAML, and the compose reader in memory reads it.
const compose = JSON.stringify({
  services: {
    web: { image: "nginx:1.27", environment: { KEY: "$SERVICE_PASSWORD_WEB" } },
    db: { image: "postgres:17" }
  }
})

const part = {
  uuid,
  service_uuid: uuid,
  human_name: null,
  description: null,
  exclude_from_status: false,
  is_log_drain_enabled: false,
  is_stopped: false,
  status: "exited:unhealthy"
}
const webPart = { ...part, name: "web", image: "nginx:1.27", is_gzip_enabled: false, is_stripprefix_enabled: false }
const dbPart = { ...part, name: "db", image: "postgres:17", is_public: false, public_port: null }

for (const store of storeNames) {
  withApi(store)(`services over ${store}`, (it) => {
    it.effect("store and return their compose file, domains and parts", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const where = { project_uuid: world.project, server_uuid: world.server, environment_name: "production" }
        const sent = {
          name: "svc",
          description: "d",
          docker_compose_raw: compose,
          urls: [{ name: "web", url: "https://svc.example,http://svc.example:81" }]
        }
        const encoded = { ...sent, docker_compose_raw: btoa(compose) }
        const created = yield* ask(201, "POST", "/services", { ...where, ...encoded, tags: ["shop"] })
        expect(created).toEqual({ uuid, domains: ["https://svc.example,http://svc.example:81"] })
        const whole = {
          ...stamps,
          ...sent,
          ...where,
          uuid: created.uuid,
          environment_uuid: world.environment,
          destination_uuid: world.destination,
          service_type: null,
          connect_to_docker_network: false,
          is_container_label_escape_enabled: true,
          status: "exited:unhealthy",
          server_id: expect.any(Number),
          destination_id: expect.any(Number),
          environment_id: expect.any(Number),
          docker_compose: compose,
          domains: ["https://svc.example,http://svc.example:81"],
          config_hash: null,
          deleted_at: null,
          destination_type: "standalone",
          is_container_label_readonly_enabled: false,
          applications: [{ ...webPart, service_uuid: created.uuid, fqdn: "https://svc.example,http://svc.example:81" }],
          databases: [{ ...dbPart, service_uuid: created.uuid }]
        }
        const path = `/services/${created.uuid}`
        expect(yield* ask(200, "GET", path)).toEqual(whole)
        expect((yield* ask(200, "GET", "/services")).at(-1)).toEqual(whole)
        expect(yield* ask(200, "PATCH", path, { description: "e" })).toEqual({ ...whole, description: "e" })
        const place = { server_uuid: whole.server_uuid, environment_uuid: "", environment_name: "production" }
        yield* ask(200, "PATCH", path, place)
        expect((yield* ask(400, "PATCH", path, { ...place, server_uuid: "nowhere00000000000000000" })).errors).toEqual({
          server_uuid: ["Is not changed here: use POST /services/{uuid}/move or /services/{uuid}/migrate."]
        })
        expect(yield* ask(200, "GET", `${path}/applications`)).toEqual(whole.applications)
        expect(yield* ask(200, "GET", `${path}/databases`)).toEqual(whole.databases)
        expect((yield* ask(200, "GET", `${path}/tags`)).map(({ name }: { name: string }) => name)).toEqual(["shop"])
        yield* ask(409, "POST", "/services", { ...where, ...sent })
        yield* ask(201, "POST", "/services", { ...where, ...sent, force_domain_override: true })
        const deletion = yield* service.send("DELETE", `/api/v1${path}`)
        expect([deletion.status, deletion.json]).toEqual([200, { message: "Service deletion request queued." }])
        expect(deletion.headers.get("location")).toMatch(/^\/api\/v1\/deletions\/[a-z0-9]{24}$/)
        expect(yield* ask(404, "GET", path)).toEqual({ message: "Service not found." })
        yield* ask(404, "DELETE", path)
      })
    )

    it.effect("do not appear as applications", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const before = yield* ask(200, "GET", "/applications")
        const created = yield* ask(201, "POST", "/services", {
          project_uuid: world.project,
          server_uuid: world.server,
          environment_name: "production",
          docker_compose_raw: compose,
          tags: ["hidden"]
        })
        expect(yield* ask(200, "GET", "/applications")).toEqual(before)
        expect(yield* ask(200, "GET", "/applications?tag=hidden")).toEqual([])
        const counted = yield* service.send("GET", "/api/v1/applications?page=1&per_page=1")
        expect(counted.headers.get("x-total-count")).toBe(String(before.length))
        for (const path of ["", "/envs", "/storages", "/tags", "/status", "/scheduled-tasks"]) {
          const body = yield* ask(404, "GET", `/applications/${created.uuid}${path}`)
          expect(body).toEqual({ message: "Application not found." })
        }
        yield* ask(404, "POST", `/applications/${created.uuid}/start`)
        yield* ask(404, "DELETE", `/applications/${created.uuid}`)
        const resources = yield* ask(200, "GET", "/resources")
        const found = resources.filter((each: { uuid: string }) => each.uuid === created.uuid)
        expect(found.map((each: { type: string }) => each.type)).toEqual(["service"])
      })
    )

    it.effect("have parts, variables, storages, tags and tasks", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const { uuid: created } = yield* ask(201, "POST", "/services", {
          project_uuid: world.project,
          server_uuid: world.server,
          environment_name: "production",
          docker_compose_raw: compose
        })
        const path = `/services/${created}`
        const [web] = yield* ask(200, "GET", `${path}/applications`)
        const [db] = yield* ask(200, "GET", `${path}/databases`)

        const change = {
          url: "http://part.example",
          human_name: "The web",
          image: "nginx:1.28",
          exclude_from_status: true
        }
        const changed = {
          ...webPart,
          uuid: web.uuid,
          fqdn: "http://part.example",
          human_name: "The web",
          image: "nginx:1.28",
          exclude_from_status: true
        }
        expect(yield* ask(200, "PATCH", `${path}/applications/${web.uuid}`, change)).toEqual(changed)
        expect(yield* ask(200, "GET", `${path}/applications/${web.uuid}`)).toEqual(changed)
        expect((yield* ask(200, "GET", path)).urls).toEqual([{ name: "web", url: "http://part.example" }])
        const conflict = yield* ask(409, "POST", "/applications/dockerimage", {
          ...world.minimal.dockerimage,
          domains: "http://part.example"
        })
        expect(conflict.conflicts[0]).toMatchObject({ resource_type: "service", resource_uuid: created })
        expect(yield* ask(200, "PATCH", `${path}/applications/${web.uuid}`, { url: null, image: null })).toEqual({
          ...changed,
          fqdn: null,
          image: "nginx:1.27"
        })
        yield* ask(404, "GET", `${path}/applications/${db.uuid}`)
        yield* ask(404, "GET", `${path}/databases/${web.uuid}`)
        const described = { ...dbPart, uuid: db.uuid, description: "orders" }
        expect(yield* ask(200, "PATCH", `${path}/databases/${db.uuid}`, { description: "orders" })).toEqual(described)
        yield* ask(400, "PATCH", `${path}/databases/${db.uuid}`, { is_public: true })

        const [secret] = yield* ask(200, "GET", `${path}/envs`)
        expect(secret).toMatchObject({ key: "SERVICE_PASSWORD_WEB", resourceable_type: "service" })
        expect(secret.value).toMatch(/^[A-Za-z0-9]{32}$/)
        const { uuid: variable } = yield* ask(201, "POST", `${path}/envs`, { key: "A", value: "1" })
        expect((yield* ask(201, "PATCH", `${path}/envs`, { key: "A", value: "2" })).value).toBe("2")
        const both = [
          { key: "A", value: "3" },
          { key: "B", value: "4" }
        ]
        yield* ask(201, "PATCH", `${path}/envs`, { key: "A", value: "2", is_build_time: false })
        const named = (yield* ask(200, "GET", `${path}/envs`)).find(({ key }: { key: string }) => key === "A")
        expect(named.is_buildtime).toBe(false)
        yield* ask(400, "PATCH", `${path}/envs`, { key: "A", value: "2", is_build_time: true, is_buildtime: true })
        const set = yield* ask(201, "PATCH", `${path}/envs/bulk`, { data: both })
        expect(set.map(({ key, value }: Record<string, string>) => [key, value])).toEqual([
          ["A", "3"],
          ["B", "4"]
        ])
        yield* ask(200, "DELETE", `${path}/envs/${variable}`)
        yield* ask(404, "DELETE", `${path}/envs/${variable}`)

        const storage = { type: "persistent", name: "more", mount_path: "/more", resource_uuid: db.uuid }
        const stored = yield* ask(201, "POST", `${path}/storages`, storage)
        expect(stored).toMatchObject({ name: "more", resource_uuid: db.uuid, volume_name: `${created}_more` })
        yield* ask(201, "POST", `${path}/storages`, { ...storage, resource_uuid: web.uuid })
        yield* ask(409, "POST", `${path}/storages`, storage)
        const nowhere = yield* service.send("POST", `/api/v1${path}/storages`, {
          body: { ...storage, resource_uuid: created }
        })
        expect([nowhere.status, wrongFields(nowhere)]).toEqual([400, ["resource_uuid"]])
        const moved = { type: "persistent", uuid: stored.uuid, mount_path: "/elsewhere" }
        expect((yield* ask(200, "PATCH", `${path}/storages`, moved)).mount_path).toBe("/elsewhere")
        yield* ask(200, "DELETE", `${path}/storages/${stored.uuid}`)
        expect((yield* ask(200, "GET", `${path}/storages`)).persistent_storages.length).toBe(1)

        const [tag] = yield* ask(201, "POST", `${path}/tags`, { tag_name: "live" })
        expect(tag.name).toBe("live")
        yield* ask(200, "DELETE", `${path}/tags/${tag.uuid}`)
        expect(yield* ask(200, "GET", `${path}/tags`)).toEqual([])

        const task = yield* ask(201, "POST", `${path}/scheduled-tasks`, {
          name: "t",
          command: "true",
          frequency: "daily",
          container: "db"
        })
        const one = `${path}/scheduled-tasks/${task.uuid}`
        expect((yield* ask(200, "PATCH", one, { enabled: false })).enabled).toBe(false)
        yield* ask(200, "POST", `${one}/execute`)
        expect(yield* ask(200, "GET", `${one}/executions`)).toEqual([])
        expect((yield* ask(200, "GET", `${path}/scheduled-tasks`)).length).toBe(1)
        yield* ask(200, "DELETE", one)
      })
    )

    it.effect("can be deployed, moved, migrated and cloned", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const { uuid: created } = yield* ask(201, "POST", "/services", {
          project_uuid: world.project,
          server_uuid: world.server,
          environment_name: "production",
          docker_compose_raw: compose,
          instant_deploy: true
        })
        const path = `/services/${created}`
        const status = yield* ask(200, "GET", `${path}/status`)
        expect(status).toMatchObject({ state: "stopped", latest_deployment: { action: "deploy", status: "queued" } })
        const queued = yield* ask(200, "POST", `${path}/start`)
        expect(queued).toEqual({ message: "Service starting request queued.", deployment_uuid: uuid })
        const deployment = yield* ask(200, "GET", `/deployments/${queued.deployment_uuid}`)
        expect(deployment).toMatchObject({ application_uuid: created, status: "queued" })
        expect((yield* ask(200, "POST", `${path}/restart?latest=true`)).message).toBe(
          "Service restarting request queued."
        )
        expect((yield* ask(200, "POST", `${path}/stop`)).message).toBe("Service stopping request queued.")
        const [web] = yield* ask(200, "GET", `${path}/applications`)
        yield* ask(200, "POST", `${path}/applications/${web.uuid}/stop`)
        expect((yield* ask(200, "GET", `${path}/applications/${web.uuid}`)).is_stopped).toBe(true)
        yield* ask(400, "POST", `${path}/applications/${web.uuid}/restart`)
        yield* ask(200, "POST", `${path}/applications/${web.uuid}/start?force=true`)
        expect((yield* ask(200, "GET", `${path}/applications/${web.uuid}`)).is_stopped).toBe(false)

        const { uuid: environment } = yield* ask(201, "POST", `/projects/${world.project}/environments`, {
          name: store
        })
        expect(yield* ask(200, "POST", `${path}/move`, { environment_uuid: environment })).toEqual({
          message: "Service moved successfully.",
          uuid: created,
          project_uuid: world.project,
          environment_uuid: environment
        })
        yield* ask(200, "POST", `${path}/migrate`, { destination_uuid: world.destination })
        const { uuid: clone } = yield* ask(201, "POST", `${path}/clone`, {
          destination_uuid: world.destination,
          name: "copy"
        })
        const copy = yield* ask(200, "GET", `/services/${clone}`)
        expect(copy).toMatchObject({ name: "copy", environment_uuid: environment, docker_compose_raw: compose })
      })
    )

    it.effect("are created from one-click templates, with addresses and secrets", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const { ask } = service
        const templates = yield* ask(200, "GET", "/service-templates")
        expect(templates.length).toBeGreaterThanOrEqual(40)
        const kuma = templates.find(({ type }: { type: string }) => type === "uptime-kuma")
        expect(kuma).toMatchObject({ images: ["louislam/uptime-kuma:1.23.16"], port: 3001, minimum_memory: 256 })
        const where = { project_uuid: world.project, server_uuid: world.server, environment_name: "production" }
        const created = yield* ask(201, "POST", "/services", { ...where, type: "uptime-kuma" })
        const found = yield* ask(200, "GET", `/services/${created.uuid}`)
        expect([found.service_type, found.docker_compose_raw]).toEqual(["uptime-kuma", kuma.docker_compose])
        for (const [body, fields] of [
          [{ type: "nothing" }, ["type"]],
          [{}, ["docker_compose_raw", "type"]],
          [{ type: "uptime-kuma", docker_compose_raw: compose }, ["docker_compose_raw", "type"]],
          [{ docker_compose_raw: '{"services": {}}' }, ["docker_compose_raw"]],
          [{ docker_compose_raw: compose, urls: [{ name: "gone", url: "" }] }, ["urls.0.name"]],
          [
            { docker_compose_raw: compose, is_container_label_escape_enabled: false },
            ["is_container_label_escape_enabled"]
          ]
        ] as const) {
          const answer = yield* service.send("POST", "/api/v1/services", { body: { ...where, ...body } })
          expect([answer.status, wrongFields(answer)], answer.text).toEqual([400, fields])
        }
      })
    )
  })
}
