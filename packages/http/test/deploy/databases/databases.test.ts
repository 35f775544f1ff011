import { expect } from "@effect/vitest"
import { Pipeline } from "@slipway/deploy/runtime"
import { ComposeReader } from "@slipway/domain/deploy/containers"
import { type Database, DatabaseStore, type DatabaseUuid, ownerOf } from "@slipway/domain/deploy/databases"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation, forgeAppTokens, packers, runs, sources } from "@slipway/memory/deploy"
import { Effect, Layer } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"

const place = Effect.map(Api, ({ world }) => ({
  project_uuid: world.project,
  server_uuid: world.server,
  environment_name: "production"
}))

/** Waits, in real time, until the requested action on a database succeeds or fails. */
const settled = Effect.fnUntraced(function* (uuid: string) {
  const { service } = yield* Api
  for (;;) {
    const row: Database | undefined = yield* service.within(
      Effect.flatMap(DatabaseStore, (store) => store.find(uuid as DatabaseUuid))
    )
    if (row?.state === "done" || row?.state === "failed") return row
    yield* Effect.sleep("10 millis")
  }
})

/** The workers' build services. Databases need none of them. */
const builders = Layer.mergeAll(
  sources,
  packers,
  forgeAppTokens,
  Layer.succeed(ComposeReader, {
    read: () => Effect.die("no database is built"),
    readText: () => Effect.die("no database is built"),
    outline: () => Effect.die("no service is created")
  })
)

for (const store of storeNames) {
  withApi(store)(`databases over ${store}`, (it) => {
    it.effect("use TLS with a CA certificate that clients can read", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const create = (kind: string, fields: object, status = 201) =>
          Effect.flatMap(place, (there) => service.ask(status, "POST", `/databases/${kind}`, { ...there, ...fields }))
        const { uuid } = yield* create("postgresql", { enable_ssl: true, postgres_password: "secret" })
        const path = `/databases/${uuid}`
        expect(yield* service.ask(200, "GET", path)).toMatchObject({
          enable_ssl: true,
          ssl_mode: "require",
          ssl_certificate_expires_at: null,
          internal_db_url: `postgres://postgres:secret@${uuid}:5432/postgres?sslmode=require`
        })
        const ssl = yield* service.ask(200, "GET", `${path}/ssl`)
        expect(ssl).toEqual({
          is_ssl_supported: true,
          ssl_modes: ["allow", "prefer", "require", "verify-ca", "verify-full"],
          enable_ssl: true,
          ssl_mode: "require",
          ca_certificate: expect.stringMatching(/^authority Slipway databases of team 0 from /),
          ca_certificate_expires_at: expect.any(String),
          certificate_expires_at: null
        })
        expect(yield* service.ask(200, "PATCH", path, { ssl_mode: "verify-full" })).toMatchObject({
          ssl_mode: "verify-full",
          internal_db_url: `postgres://postgres:secret@${uuid}:5432/postgres?sslmode=verify-full`
        })
        expect(yield* service.ask(200, "PATCH", path, { enable_ssl: false, ssl_mode: null })).toMatchObject({
          enable_ssl: false,
          ssl_mode: "require",
          internal_db_url: `postgres://postgres:secret@${uuid}:5432/postgres`
        })
        expect(yield* service.ask(200, "GET", `${path}/ssl`)).toMatchObject({ ca_certificate: null })
        expect((yield* create("clickhouse", { enable_ssl: true }, 400)).errors).toEqual({
          enable_ssl: ["Databases of clickhouse do not support TLS."]
        })
        expect((yield* service.ask(400, "PATCH", path, { ssl_mode: "REQUIRED" })).errors).toEqual({
          ssl_mode: ["Must be one of allow, prefer, require, verify-ca, verify-full."]
        })
        expect((yield* create("redis", { ssl_mode: "require" }, 400)).errors).toEqual({
          ssl_mode: ["Databases of redis have no modes: with enable_ssl, every connection needs TLS."]
        })
      })
    )

    it.effect("are created, returned, changed, started, stopped and deleted", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const simulation = yield* service.within(EngineSimulation)
        yield* simulation.publish("postgres:17-alpine", { program: () => runs("ready to accept connections") })
        yield* Effect.forkScoped(service.within(Effect.provide(Pipeline.run(), builders)))
        const { uuid } = yield* service.ask(201, "POST", "/databases/postgresql", {
          ...(yield* place),
          name: "orders",
          postgres_user: "shop",
          postgres_password: "p/w",
          postgres_db: "orders",
          limits_memory: "512m",
          is_public: true,
          public_port: 5_433,
          instant_deploy: true
        })
        yield* settled(uuid)
        const path = `/databases/${uuid}`
        const shown = yield* service.ask(200, "GET", path)
        expect(shown).toMatchObject({
          uuid,
          name: "orders",
          description: "",
          database_type: "standalone-postgresql",
          status: "running:healthy",
          reason: null,
          image: "postgres:17-alpine",
          is_public: true,
          public_port: 5_433,
          internal_db_url: `postgres://shop:p%2Fw@${uuid}:5432/orders`,
          external_db_url: "postgres://shop:p%2Fw@127.0.0.1:5433/orders",
          environment_name: "production",
          server_uuid: world.server,
          destination_uuid: world.destination,
          postgres_user: "shop",
          postgres_password: "p/w",
          postgres_db: "orders",
          postgres_initdb_args: null,
          limits_memory: "512m",
          limits_cpu_shares: 1_024
        })
        expect(yield* service.ask(200, "GET", `${path}/logs`)).toEqual({ logs: "ready to accept connections" })
        expect((yield* service.ask(200, "GET", `${path}/logs?show_timestamps=true`)).logs).toMatch(
          /^\d{4}-\d\d-\d\dT[\d:.]+Z ready to accept connections$/
        )
        expect(yield* service.ask(200, "PATCH", path, { description: "of the shop" })).toEqual({
          ...shown,
          status: "running:unknown",
          description: "of the shop",
          updated_at: expect.any(String)
        })
        expect(
          (yield* service.ask(200, "GET", "/resources")).find((each: Database) => each.uuid === uuid)
        ).toMatchObject({
          type: "standalone-postgresql",
          name: "orders",
          status: "running:unknown",
          fqdn: null
        })
        yield* service.ask(409, "DELETE", `/servers/${world.server}`)
        expect(yield* service.ask(200, "POST", `${path}/stop`)).toEqual({
          message: "Database stopping request queued."
        })
        yield* settled(uuid)
        expect((yield* service.ask(200, "GET", path)).status).toBe("exited:unhealthy")
        const { headers } = yield* service.send("DELETE", `/api/v1${path}`)
        const deletion = (headers.get("location") ?? "").replace("/api/v1", "")
        expect(yield* service.ask(200, "GET", deletion)).toMatchObject({
          application_uuid: uuid,
          application_name: "orders",
          delete_volumes: false,
          docker_cleanup: true
        })
        yield* service.ask(404, "GET", path)
        expect((yield* simulation.inventory(service.server as ServerUuid)).volumes).toEqual([
          { name: `${uuid}_data`, application: ownerOf(uuid as DatabaseUuid) },
          { name: `${uuid}_backups`, application: ownerOf(uuid as DatabaseUuid) }
        ])
      }).pipe(Effect.scoped)
    )

    it.effect("prevent the deletion of their environment, project and destination", () =>
      Effect.gen(function* () {
        const { service, world } = yield* Api
        const project = yield* service.ask(201, "POST", "/projects", { name: "of databases" })
        const [{ uuid: environment }] = yield* service.ask(200, "GET", `/projects/${project.uuid}/environments`)
        const { uuid } = yield* service.ask(201, "POST", "/databases/redis", {
          project_uuid: project.uuid,
          environment_uuid: environment,
          server_uuid: world.server
        })
        yield* service.ask(201, "POST", `/databases/${uuid}/backups`, { frequency: "daily" })
        yield* service.ask(409, "DELETE", `/projects/${project.uuid}/environments/${environment}`)
        yield* service.ask(409, "DELETE", `/projects/${project.uuid}`)
        yield* service.ask(409, "DELETE", `/destinations/${world.destination}`)
        yield* service.ask(200, "GET", `/databases/${uuid}`)
        yield* service.ask(200, "DELETE", `/databases/${uuid}`)
        yield* service.ask(404, "GET", `/databases/${uuid}/backups`)
        yield* service.ask(200, "DELETE", `/projects/${project.uuid}`)
      })
    )
  })
}

withApi()("a database", (it) => {
  it.effect("shows secrets and addresses only to tokens with read:sensitive, in reads, lists and updates (I15)", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const { uuid } = yield* service.ask(201, "POST", "/databases/mysql", yield* place)
      const secret = yield* service.ask(200, "GET", `/databases/${uuid}`)
      expect(secret.mysql_password).toMatch(/^[a-zA-Z0-9]{40}$/)
      expect(secret.mysql_root_password).not.toBe(secret.mysql_password)
      const { text: token } = yield* service.mint("read", "write")
      const hidden = { mysql_password: null, mysql_root_password: null, internal_db_url: null, mysql_user: "mysql" }
      const as = { token }
      expect(yield* service.ask(200, "GET", `/databases/${uuid}`, undefined, as)).toMatchObject(hidden)
      expect(yield* service.ask(200, "PATCH", `/databases/${uuid}`, { name: "x" }, as)).toMatchObject(hidden)
      const all = yield* service.ask(200, "GET", "/databases", undefined, as)
      expect(all.find((each: Database) => each.uuid === uuid)).toMatchObject(hidden)
      const { text: sensitive } = yield* service.mint("read:sensitive")
      const listed = yield* service.ask(200, "GET", "/databases", undefined, { token: sensitive })
      expect(listed.find((each: Database) => each.uuid === uuid).mysql_password).toBe(secret.mysql_password)
      expect(JSON.stringify(yield* service.dump)).not.toContain(secret.mysql_password)
    })
  )

  it.effect("reveals its credentials on demand, and the audit log records it", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const { uuid } = yield* service.ask(201, "POST", "/databases/postgresql", yield* place)
      const { text: token } = yield* service.mint("read", "write")
      const { message } = yield* service.ask(403, "POST", `/databases/${uuid}/credentials`, undefined, { token })
      expect(message).toContain("tokens with `read:sensitive` or `root` may")
      const { text: sensitive } = yield* service.mint("read:sensitive")
      const shown = yield* service.ask(200, "POST", `/databases/${uuid}/credentials`, undefined, { token: sensitive })
      const { internal_db_url } = yield* service.ask(200, "GET", `/databases/${uuid}`)
      expect(shown).toEqual({ internal_db_url, external_db_url: null })
      const records = yield* service.ask(200, "GET", "/audit")
      const about = records.filter(({ object }: { readonly object: string }) => object === uuid)
      expect(about).toMatchObject([
        { outcome: "done", action: "database.secrets", detail: "revealed the credentials" },
        { outcome: "denied", action: "database.secrets" }
      ])
    })
  )

  it.effect("is started only by tokens with the `deploy` ability, also through instant_deploy", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const { text: token } = yield* service.mint("read", "write")
      const body = { ...(yield* place), instant_deploy: true }
      const before = yield* service.dump
      yield* service.ask(403, "POST", "/databases/redis", body, { token })
      expect(yield* service.dump).toEqual(before)
      const { uuid } = yield* service.ask(201, "POST", "/databases/redis", yield* place, { token })
      for (const ask of ["start", "stop", "restart"]) {
        yield* service.ask(403, "POST", `/databases/${uuid}/${ask}`, undefined, { token })
      }
      expect((yield* service.ask(200, "GET", `/databases/${uuid}`)).status).toBe("exited:unhealthy")
    })
  )

  it.effect("reports all errors of a body together, and changes nothing (I22, I25)", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const where = yield* place
      const before = yield* service.dump
      const wrong = Effect.fnUntraced(function* (body: object) {
        return (yield* service.ask(400, "POST", "/databases/postgresql", { ...where, ...body })).errors
      })
      expect(
        yield* wrong({ postgres_user: "a b", postgres_password: "", public_port: 0, image: "Not An Image", name: "" })
      ).toEqual({
        postgres_user: ["Must be letters, digits, `_` and `-`, and begin with a letter or `_`."],
        postgres_password: ["Must not be empty."],
        public_port: ["Must be a whole number from 1 to 65535."],
        image: ["Must be the name of an image, such as registry.example/team/app."],
        name: ["Must not be empty."]
      })
      expect(yield* wrong({ postgres_initdb_args: "--encoding=UTF8; id" })).toEqual({
        postgres_initdb_args: ["Must be options of initdb: letters, digits, spaces and `_=.,:/-`."]
      })
      expect(yield* wrong({ redis_password: "x" })).toEqual({ redis_password: ["This field is not allowed."] })
      expect(yield* wrong({ image: "slipway/application0000000000001:one" })).toEqual({
        image: ["Must be an image of a registry."]
      })
      expect(yield* wrong({ is_public: true })).toEqual({
        public_port: ["Must be set for a public database."]
      })
      expect(yield* wrong({ project_uuid: "a".repeat(24) })).toEqual({ project_uuid: ["There is no such project."] })
      expect(yield* service.dump).toEqual(before)
    })
  )

  it.effect("rejects fields of other database types in an update, and keeps omitted fields", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const { uuid } = yield* service.ask(201, "POST", "/databases/mariadb", {
        ...(yield* place),
        mariadb_user: "me",
        mariadb_password: "first"
      })
      const path = `/databases/${uuid}`
      const { errors } = yield* service.ask(400, "PATCH", path, { mysql_user: "you", name: "x" })
      expect(errors).toEqual({ mysql_user: ["This field is not allowed."] })
      expect((yield* service.ask(400, "PATCH", path, { mariadb_user: "root" })).errors).toEqual({
        mariadb_user: ["Must not be `root`, which always exists."]
      })
      // Fields that can't be unset, unknown fields, and fields that set its place.
      const wrong = {
        name: null,
        image: null,
        is_public: null,
        mariadb_password: null,
        limits_memory: null,
        server_uuid: "a".repeat(24),
        serving_uuid: "a".repeat(24),
        state: "done"
      }
      const refused = yield* service.ask(400, "PATCH", path, wrong)
      expect(Object.keys(refused.errors).toSorted()).toEqual(Object.keys(wrong).toSorted())
      expect((yield* service.ask(400, "PATCH", path, { is_public: true, public_port: null })).errors).toEqual({
        public_port: ["Must be set for a public database."]
      })
      const changed = yield* service.ask(200, "PATCH", path, { mariadb_database: "orders" })
      expect(changed).toMatchObject({ mariadb_user: "me", mariadb_password: "first", mariadb_database: "orders" })
    })
  )

  it.effect("has scheduled backups, which tokens with the `deploy` ability can also run immediately", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const { uuid } = yield* service.ask(201, "POST", "/databases/postgresql", yield* place)
      const other = yield* service.ask(201, "POST", "/databases/redis", yield* place)
      const path = `/databases/${uuid}/backups`
      const made = yield* service.ask(201, "POST", path, { frequency: "0 3 * * *" })
      const [shown] = yield* service.ask(200, "GET", path)
      expect(shown).toMatchObject({
        uuid: made.uuid,
        database_uuid: uuid,
        frequency: "0 3 * * *",
        enabled: true,
        database_backup_retention_amount_locally: 7,
        timeout: 3_600,
        save_s3: false,
        next_run_at: expect.stringMatching(/T03:00:00\.000Z$/)
      })
      const one = `${path}/${made.uuid}`
      const change = { enabled: false, database_backup_retention_amount_locally: 3 }
      const changed = yield* service.ask(200, "PATCH", one, change)
      expect(changed).toEqual({ ...shown, ...change, next_run_at: null, updated_at: changed.updated_at })
      const { text: token } = yield* service.mint("read", "write")
      yield* service.ask(403, "PATCH", one, { backup_now: true }, { token })
      yield* service.ask(403, "POST", path, { frequency: "daily", backup_now: true }, { token })
      expect(yield* service.ask(200, "GET", path)).toHaveLength(1)
      expect(yield* service.ask(200, "GET", `${one}/executions`)).toEqual({ executions: [] })
      expect([yield* service.ask(200, "GET", one)]).toEqual(yield* service.ask(200, "GET", one.replace(/\/[^/]*$/, "")))
      yield* service.ask(404, "GET", `${one}/executions/nothing00000000000000000`)
      const { errors } = yield* service.ask(400, "POST", path, {
        frequency: "now",
        timeout: 59,
        database_backup_retention_amount_locally: 0,
        save_s3: 1
      })
      expect(Object.keys(errors).sort()).toEqual([
        "database_backup_retention_amount_locally",
        "frequency",
        "save_s3",
        "timeout"
      ])
      // The backup is missing below another database (I6).
      for (const method of ["PATCH", "DELETE"]) {
        const elsewhere = `/databases/${other.uuid}/backups/${made.uuid}`
        const body = method === "PATCH" ? {} : undefined
        expect(yield* service.ask(404, method, elsewhere, body)).toEqual({ message: "Backup not found." })
      }
      yield* service.ask(404, "GET", `/databases/${other.uuid}/backups/${made.uuid}/executions`)
      yield* service.ask(200, "DELETE", one)
      expect(yield* service.ask(200, "GET", path)).toEqual([])
    })
  )

  it.effect("moves to an environment of another project, and keeps running", () =>
    Effect.gen(function* () {
      const { service } = yield* Api
      const { uuid } = yield* service.ask(201, "POST", "/databases/redis", yield* place)
      const project = yield* service.ask(201, "POST", "/projects", { name: "another" })
      const [environment] = yield* service.ask(200, "GET", `/projects/${project.uuid}/environments`)
      const before = yield* service.ask(200, "GET", `/databases/${uuid}`)
      const body = { environment_uuid: environment.uuid }
      const where = { project_uuid: project.uuid, environment_uuid: environment.uuid }
      expect(yield* service.ask(200, "POST", `/databases/${uuid}/move`, body)).toEqual({
        message: "Database moved.",
        uuid,
        ...where
      })
      const { updated_at } = yield* service.ask(200, "GET", `/databases/${uuid}`)
      expect(yield* service.ask(200, "GET", `/databases/${uuid}`)).toEqual({ ...before, ...where, updated_at })
      const { errors } = yield* service.ask(400, "POST", `/databases/${uuid}/move`, {
        environment_uuid: "a".repeat(24)
      })
      expect(errors).toEqual({ environment_uuid: ["There is no such environment."] })
    })
  )

  // Prevents: an endpoint of another resource type reads or deletes a database by its UUID, or the reverse.
  it.effect("is found only under its own path (I6, I22)", () =>
    Effect.gen(function* () {
      const { service, world } = yield* Api
      const { uuid } = yield* service.ask(201, "POST", "/databases/redis", yield* place)
      const application = yield* world.create("dockerimage")
      expect(yield* service.ask(404, "GET", `/applications/${uuid}`)).toEqual({ message: "Application not found." })
      for (const path of [`/databases/${application}`, "/databases/aaaaaaaaaaaaaaaaaaaaaaaa", "/databases/nowhere"]) {
        for (const method of ["GET", "DELETE"]) {
          expect(yield* service.ask(404, method, path)).toEqual({ message: "Database not found." })
        }
        expect(yield* service.ask(404, "POST", `${path}/start`)).toEqual({ message: "Database not found." })
        expect(yield* service.ask(404, "GET", `${path}/logs`)).toEqual({ message: "Database not found." })
      }
      yield* service.ask(200, "GET", `/databases/${uuid}`)
    })
  )
})
