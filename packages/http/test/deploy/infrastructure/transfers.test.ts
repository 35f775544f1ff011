import { expect } from "@effect/vitest"
import { HookSender, HookUnsent } from "@slipway/domain"
import { Effect, Layer } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { type Service, start, stores } from "../support/harness.ts"
import { makeTeam } from "../support/members.ts"
import { makeWorld } from "../support/world.ts"

const passphrase = "a long passphrase of a test"
const secrets = ["the value of a variable", "the password of a database", "the content of a file"]

/** Creates a server with one resource of each type. */
const plant = Effect.fnUntraced(function* (service: Service, ip: string) {
  const { key, project } = yield* makeWorld(service)
  const { ask } = service
  const remote = { name: "moving", ip, private_key_uuid: key, wildcard_domain: "apps.example" }
  const { uuid: server } = yield* ask(201, "POST", "/servers", remote)
  const place = { project_uuid: project, environment_name: "production", server_uuid: server }
  const image = { docker_registry_image_name: "nginx", domains: `http://${ip}.example`, name: "web" }
  const { uuid: application } = yield* ask(201, "POST", "/applications/dockerimage", { ...place, ...image })
  const path = `/applications/${application}`
  yield* ask(201, "POST", `${path}/envs`, { key: "SECRET", value: secrets[0] })
  yield* ask(201, "POST", `${path}/storages`, {
    type: "file",
    mount_path: "/etc/web.conf",
    content: secrets[2]
  })
  yield* ask(201, "POST", `${path}/storages`, { type: "persistent", name: "data", mount_path: "/data" })
  yield* ask(201, "POST", `${path}/scheduled-tasks`, { name: "task", command: "true", frequency: "daily" })
  yield* ask(201, "POST", `${path}/tags`, { tag_name: "moved" })
  const { uuid: database } = yield* ask(201, "POST", "/databases/postgresql", {
    ...place,
    name: "store",
    postgres_password: secrets[1]
  })
  yield* ask(201, "POST", `/databases/${database}/backups`, { frequency: "weekly" })
  yield* ask(201, "POST", `/servers/${server}/envs`, { key: "ON_SERVER", value: "shared" })
  const compose = "services:\n  app:\n    image: nginx\n"
  const { uuid: stack } = yield* ask(201, "POST", "/services", { ...place, docker_compose_raw: compose })
  return { server: server as string, application, database, stack, project, place }
})

/** Returns what the API shows of the resources of a server, without what belongs to an instance. */
const shown = Effect.fnUntraced(function* ({ ask }: Service, { application, database, server, stack }: Planted) {
  const withoutOwn = (json: Record<string, unknown>) => {
    const { created_at: _, id: __, updated_at: ___, server_id: ____, ...rest } = json
    return JSON.stringify(rest, (name, value) =>
      [
        "environment_id",
        "destination",
        "destination_id",
        "created_at",
        "updated_at",
        "id",
        "next_run_at",
        "resourceable_id"
      ].includes(name)
        ? undefined
        : value
    )
  }
  const paths = [
    `/applications/${application}`,
    `/applications/${application}/envs`,
    `/applications/${application}/storages`,
    `/applications/${application}/scheduled-tasks`,
    `/databases/${database}`,
    `/databases/${database}/backups`,
    `/servers/${server}/envs`,
    `/servers/${server}/destinations`,
    `/services/${stack}`
  ]
  return yield* Effect.forEach(paths, (path) =>
    Effect.map(ask(200, "GET", path), (json) => [path, [json].flat().map(withoutOwn)] as const)
  )
})

type Planted = Effect.Success<ReturnType<typeof plant>>

for (const store of storeNames) {
  withApi(store)(`the transfer of a server over ${store}`, (it) => {
    it.effect("moves the server with everything on it to another instance", () =>
      Effect.gen(function* () {
        const { service: from } = yield* Api
        const to = yield* start(stores[store])
        const planted = yield* plant(from, "192.0.2.1")
        const before = yield* shown(from, planted)
        const path = `/servers/${planted.server}`
        const bundle = yield* from.ask(200, "POST", `${path}/export`, { passphrase })
        expect(Object.keys(bundle)).toEqual(["format", "version", "encrypted", "encryption", "export_id", "data"])
        const { transfer } = yield* from.ask(200, "GET", path)
        // Without the id of the transfer, which proves that a bundle comes from an administrator.
        expect(transfer).toEqual({ state: "leaving", at: transfer.at, target_url: null })
        // A deployment would change the machine while another instance may manage it.
        const refused = yield* from.ask(409, "POST", `/applications/${planted.application}/start`)
        expect(refused.message).toBe(
          "The server `moving` is being transferred to another instance: cancel its transfer first."
        )
        yield* from.ask(409, "POST", `/databases/${planted.database}/start`)
        const body = { bundle, passphrase }
        const tried = yield* to.ask(200, "POST", "/servers/import", { ...body, dry_run: true })
        expect(tried).toMatchObject({ dry_run: true, claimed: false, repeated: false })
        expect(tried.resources).toEqual({ applications: 1, services: 1, databases: 1 })
        yield* to.ask(404, "GET", path)
        const imported = yield* to.ask(201, "POST", "/servers/import", { ...body, claim: false })
        expect(imported).toMatchObject({ uuid: planted.server, claimed: false, claim_error: null, repeated: false })
        expect((yield* to.ask(409, "POST", `/applications/${planted.application}/start`)).message).toBe(
          "The server `moving` was imported, but not claimed: claim it first."
        )
        expect(yield* shown(to, planted)).toEqual(before)
        const again = yield* to.ask(201, "POST", "/servers/import", body)
        expect(again).toMatchObject({ uuid: planted.server, claimed: true, repeated: true })
        yield* to.ask(200, "POST", `${path}/claim`, { write_remote: true })
        yield* to.ask(200, "POST", `/applications/${planted.application}/start`)
        const { uuid } = yield* from.ask(200, "POST", `${path}/transfer/complete`, { export_id: bundle.export_id })
        expect(uuid).toBe(planted.server)
        for (const gone of [path, `/applications/${planted.application}`, `/databases/${planted.database}`]) {
          yield* from.ask(404, "GET", gone)
        }
        yield* from.ask(404, "POST", `${path}/transfer/complete`)
      }).pipe(Effect.scoped)
    )

    it.effect("moves the server back to the instance that it came from", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const planted = yield* plant(service, "192.0.2.9")
        const path = `/servers/${planted.server}`
        const bundle = yield* service.ask(200, "POST", `${path}/export`, { passphrase })
        const other = yield* start(stores[store])
        yield* other.ask(201, "POST", "/servers/import", { bundle, passphrase })
        yield* service.ask(200, "POST", `${path}/transfer/complete`)
        const back = yield* other.ask(200, "POST", `${path}/export`, { passphrase })
        expect(yield* service.ask(201, "POST", "/servers/import", { bundle: back, passphrase })).toMatchObject({
          uuid: planted.server,
          claimed: true
        })
        yield* other.ask(200, "POST", `${path}/transfer/complete`)
      }).pipe(Effect.scoped)
    )

    it.effect("moves the server to another team of the same instance", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const planted = yield* plant(service, "192.0.2.8")
        const { token } = yield* makeTeam(service, "Acme")
        const path = `/servers/${planted.server}`
        const bundle = yield* service.ask(200, "POST", `${path}/export`, { passphrase })
        // A bundle without a begun transfer moves nothing within an instance.
        yield* service.ask(200, "DELETE", `${path}/transfer`)
        const body = { bundle, passphrase }
        yield* service.ask(400, "POST", "/servers/import", body, { token })
        const again = yield* service.ask(200, "POST", `${path}/export`, { passphrase })
        yield* service.ask(400, "POST", "/servers/import", body, { token })
        const imported = yield* service.ask(201, "POST", "/servers/import", { ...body, bundle: again }, { token })
        expect(imported).toMatchObject({ uuid: planted.server, claimed: true, renamed: [] })
        yield* service.ask(404, "GET", path)
        yield* service.ask(404, "GET", `/applications/${planted.application}`)
        const moved = yield* service.ask(200, "GET", `/applications/${planted.application}`, undefined, { token })
        expect([moved.name, moved.server_uuid]).toEqual(["web", planted.server])
        expect(moved.project_uuid).not.toBe(planted.project)
        const variables = `/applications/${planted.application}/envs`
        const [variable] = yield* service.ask(200, "GET", variables, undefined, { token })
        expect([variable.key, variable.value]).toEqual(["SECRET", secrets[0]])
        yield* service.ask(200, "POST", `/applications/${planted.application}/start`, undefined, { token })
        yield* service.ask(404, "POST", `${path}/transfer/complete`)
      })
    )

    it.effect("changes nothing if the bundle conflicts with resources of the instance", () =>
      Effect.gen(function* () {
        const { service: from } = yield* Api
        const to = yield* start(stores[store])
        const planted = yield* plant(from, "192.0.2.2")
        const path = `/servers/${planted.server}`
        const bundle = yield* from.ask(200, "GET", `${path}/export?passphrase=${encodeURIComponent(passphrase)}`)
        expect((yield* from.ask(200, "GET", path)).transfer).toBeNull()
        const body = { bundle, passphrase }
        const same = yield* from.ask(400, "POST", "/servers/import", body)
        expect(Object.keys(same.errors).sort()).toEqual([
          "bundle.applications.0.uuid",
          "bundle.applications.1.uuid",
          "bundle.databases.0.uuid",
          "bundle.destinations.0.uuid",
          "bundle.server.ip",
          "bundle.server.uuid",
          "bundle.services.0.uuid"
        ])
        const world = yield* makeWorld(to)
        yield* to.ask(201, "POST", "/applications/dockerimage", {
          ...world.minimal.dockerimage,
          domains: "http://192.0.2.2.example"
        })
        const conflict = yield* to.ask(409, "POST", "/servers/import", body)
        expect(conflict.conflicts.map(({ domain }: { domain: string }) => domain)).toEqual(["http://192.0.2.2.example"])
        yield* to.ask(404, "GET", path)
        yield* from.ask(409, "POST", `${path}/transfer/complete`)
        yield* from.ask(409, "DELETE", `${path}/transfer`)
      }).pipe(Effect.scoped)
    )

    it.effect("can be cancelled, after which the server works as before", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const planted = yield* plant(service, "192.0.2.3")
        const path = `/servers/${planted.server}`
        const one = yield* service.ask(200, "POST", `${path}/export`, { passphrase })
        const two = yield* service.ask(200, "POST", `${path}/export`, { passphrase })
        expect(two.export_id).toBe(one.export_id)
        const other = yield* service.ask(400, "POST", `${path}/transfer/complete`, { export_id: "other" })
        expect(other.errors).toEqual({ export_id: [`Must be \`${one.export_id}\`.`] })
        yield* service.ask(200, "DELETE", `${path}/transfer`)
        expect((yield* service.ask(200, "GET", path)).transfer).toBeNull()
        yield* service.ask(200, "POST", `/applications/${planted.application}/start`)
        const busy = yield* service.ask(409, "POST", `${path}/export`, { passphrase })
        expect(busy.message).toBe("Deployments wait or run on the server: wait for their end first.")
      })
    )

    it.effect("names the invalid fields of requests and bundles", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const planted = yield* plant(service, "192.0.2.4")
        const path = `/servers/${planted.server}`
        const fieldsOf = (method: string, at: string, body?: unknown) =>
          Effect.map(service.ask(400, method, at, body), ({ errors }) => Object.keys(errors))
        expect(yield* fieldsOf("GET", `${path}/export`)).toEqual(["passphrase"])
        const query = `passphrase=${encodeURIComponent(passphrase)}`
        expect(yield* fieldsOf("GET", `${path}/export?${query}&encrypt=false`)).toEqual(["encrypt"])
        expect(yield* fieldsOf("POST", `${path}/export`, { passphrase: "too short" })).toEqual(["passphrase"])
        const bundle = yield* service.ask(200, "GET", `${path}/export?${query}`)
        const wrong = { bundle, passphrase: "another long passphrase" }
        expect(yield* fieldsOf("POST", "/servers/import", wrong)).toEqual(["passphrase"])
        const cut = { bundle: { ...bundle, data: "no base64!" }, passphrase }
        expect(yield* fieldsOf("POST", "/servers/import", cut)).toEqual(["bundle.data"])
        const plain = { bundle: { ...bundle, encrypted: false, more: 1 }, passphrase, preserve_uuids: false }
        expect((yield* fieldsOf("POST", "/servers/import", plain)).sort()).toEqual([
          "bundle.encrypted",
          "bundle.more",
          "preserve_uuids"
        ])
        const target = { target_url: "http://deploy.example", target_token: "a b" }
        expect((yield* fieldsOf("POST", `${path}/migrate`, target)).sort()).toEqual(["target_token", "target_url"])
        const local = yield* service.ask(409, "POST", `/servers/${service.server}/export`, { passphrase })
        expect(local.message).toContain("own machine of the platform")
      })
    )

    it.effect("moves in one request, which continues a transfer that broke off before or after any step", () =>
      Effect.gen(function* () {
        const to = yield* start(stores[store])
        let failing: { readonly call: number; readonly isAfter: boolean } | undefined
        let calls = 0
        const broken = new HookUnsent({ because: "the connection broke", refused: false })
        const hooks = Layer.succeed(HookSender, {
          send: ({ body, headers, method, url }) =>
            Effect.gen(function* () {
              const call = calls++
              if (failing?.call === call && !failing.isAfter) return yield* broken
              const { text, status } = yield* to.send(method, new URL(url).pathname, {
                raw: body,
                token: headers.Authorization?.replace("Bearer ", ""),
                headers: { "content-type": "application/json" }
              })
              if (failing?.call === call && failing.isAfter) return yield* broken
              return { status, headers: {}, body: text }
            })
        })
        const from = yield* start(stores[store], hooks)
        const planted = yield* plant(from, "192.0.2.6")
        const path = `/servers/${planted.server}`
        const target = { target_url: "https://deploy.example/", target_token: to.root }
        const refused = yield* from.ask(400, "POST", `${path}/migrate`, { ...target, target_token: "1|wrong" })
        expect(Object.keys(refused.errors)).toEqual(["target_token"])
        expect((yield* from.ask(200, "GET", path)).transfer).toBeNull()
        for (const call of [0, 1]) {
          for (const isAfter of [false, true]) {
            failing = { call, isAfter }
            calls = 0
            const { message } = yield* from.ask(502, "POST", `${path}/migrate`, target)
            expect(message).toContain("the connection broke")
            expect((yield* from.ask(200, "GET", path)).transfer).toMatchObject({
              state: "leaving",
              target_url: "https://deploy.example/"
            })
          }
        }
        failing = undefined
        const { uuid } = yield* from.ask(200, "POST", `${path}/migrate`, target)
        expect(uuid).toBe(planted.server)
        yield* from.ask(404, "GET", path)
        const arrived = yield* to.ask(200, "GET", path)
        expect([arrived.name, arrived.transfer.state, arrived.settings.is_usable]).toEqual(["moving", "claimed", true])
        expect(JSON.stringify(yield* from.dump)).not.toContain(to.root)
      }).pipe(Effect.scoped)
    )

    it.effect("shows no secret in any response, and needs all permissions on the team", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const planted = yield* plant(service, "192.0.2.5")
        const path = `/api/v1/servers/${planted.server}`
        const write = (yield* service.mint("write")).text
        const sensitive = (yield* service.mint("read:sensitive")).text
        const body = { passphrase }
        // A transfer also exports the secrets, so that it needs both abilities.
        expect((yield* service.send("POST", `${path}/export`, { token: write, body })).status).toBe(403)
        expect((yield* service.send("POST", `${path}/export`, { token: sensitive, body })).status).toBe(403)
        const both = (yield* service.mint("write", "read:sensitive")).text
        const answers = [
          yield* service.send("POST", `${path}/export/mailbox`, { token: both, body }),
          yield* service.send("POST", `${path}/export`, { token: both, body }),
          yield* service.send("GET", path, { token: both })
        ]
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
        for (const { text } of answers) {
          for (const secret of [...secrets, passphrase]) expect(text).not.toContain(secret)
        }
        expect(service.logged.join("\n")).not.toContain(passphrase)
      })
    )
  })
}
