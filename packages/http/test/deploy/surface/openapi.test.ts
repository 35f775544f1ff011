import { expect, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { HookSender } from "@slipway/domain"
import { roleRules, rules } from "@slipway/domain/deploy/access"
import {
  ApplicationStore,
  constants,
  DeploymentStore,
  ReleaseStore,
  RepositoryHostKeyStore
} from "@slipway/domain/deploy/apps"
import { DeploymentUuid, ReleaseUuid } from "@slipway/domain/deploy/base"
import {
  type BackupRun,
  BackupRunUuid,
  BackupStore,
  type BackupUuid,
  DatabaseKinds,
  DatabaseStore,
  DatabaseUuid,
  VolumeBackupRunUuid,
  VolumeBackupStore,
  VolumeBackupUuid
} from "@slipway/domain/deploy/databases"
import { rowOf } from "@slipway/domain/deploy/entry"
import { NotificationMailer, S3StorageUuid } from "@slipway/domain/deploy/infrastructure"
import { DeployApi } from "@slipway/http/api/deploy"
import { HostSimulation, SourceSimulation } from "@slipway/memory/deploy"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { Context, Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { runDatabaseSettings } from "../support/databaseRuns.ts"
import { endpoints, signedEndpoints } from "../support/endpoints.ts"
import { newKey, type Service, start } from "../support/harness.ts"
import { makeAccount, tokenOf } from "../support/members.ts"
import { signInAs } from "../support/people.ts"
import { configurationFields, creations } from "../support/routes.ts"
import { runService } from "../support/serviceRuns.ts"
import { type AddBackup, runStorageBackups } from "../support/storageRuns.ts"
import { acceptingInstance, runTransfers } from "../support/transferRuns.ts"
import { hosted, makeWorld, samples, startForge, type World } from "../support/world.ts"

/** Coolify's names for some fields. */
const doubledOf = (names: ReadonlyArray<string>) =>
  Object.entries({
    github_app_uuid: "forge_app_uuid",
    manual_webhook_secret_github: "manual_webhook_secret_forgeA",
    manual_webhook_secret_gitlab: "manual_webhook_secret_forgeB",
    manual_webhook_secret_bitbucket: "manual_webhook_secret_forgeC",
    manual_webhook_secret_gitea: "manual_webhook_secret_forgeD"
  }).flatMap(([sibling, field]) => (names.includes(field) ? [sibling] : []))

const runUuid = BackupRunUuid.make("run".padEnd(24, "0"))

/** A failed backup, which has no file. */
const failedRun = (backupUuid: string): BackupRun => ({
  uuid: runUuid,
  backupUuid: backupUuid as BackupUuid,
  status: "failed",
  message: "the database is not running",
  size: null,
  dumpsAll: false,
  databases: [],
  image: null,
  isLocal: null,
  object: null,
  startedAt: "2026-11-27T00:00:00.000Z",
  finishedAt: "2026-11-27T00:00:01.000Z"
})

const madeUuid = BackupRunUuid.make("made".padEnd(24, "0"))

/** Lets a database count as running, and adds a successful backup. */
const serveWithBackup = Effect.fnUntraced(function* (database: string, schedule: string) {
  const databases = yield* DatabaseStore
  const found = yield* databases.find(DatabaseUuid.make(database))
  if (found === undefined) return
  yield* Effect.orDie(databases.replace({ ...found, servingUuid: DeploymentUuid.make("serving".padEnd(24, "0")) }))
  const made: BackupRun = { ...failedRun(schedule), uuid: madeUuid, status: "success", size: 1, isLocal: true }
  yield* (yield* BackupStore).begin(made.backupUuid, null, made)
})

/** Adds a successful backup to the schedule of a storage, and returns its uuid. */
const storageBackup = Effect.fnUntraced(function* (schedule: string, s3Storage: string) {
  const uuid = VolumeBackupRunUuid.make(`made${schedule.slice(4)}`)
  const backupUuid = VolumeBackupUuid.make(schedule)
  yield* (yield* VolumeBackupStore).begin(backupUuid, null, {
    uuid,
    backupUuid,
    status: "success",
    message: "",
    size: 1,
    object: { storageUuid: S3StorageUuid.make(s3Storage), key: "key.tar" },
    startedAt: "2026-11-27T00:00:00.000Z",
    finishedAt: "2026-11-27T00:00:01.000Z"
  })
  return uuid
})

interface Rig {
  readonly service: Service
  readonly world: World
  // BOUNDARY: the document is judged by the validators, not by types.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly document: any
}
class Api extends Context.Service<Api, Rig>()("test/openapi/Api") {}

/** A network in which each notification arrives, unless its URL contains `broken`. */
const network = Layer.merge(
  Layer.succeed(HookSender, {
    send: ({ url }) => {
      const isImport = url === `${acceptingInstance}/api/v1/servers/import`
      return Effect.succeed({ status: url.includes("broken") ? 404 : isImport ? 201 : 200, headers: {}, body: "" })
    }
  }),
  Layer.succeed(NotificationMailer, { instance: () => Effect.void, through: () => Effect.void })
)

/** Settings that enable each channel of notifications. */
const channels = {
  email: { use_instance_email_settings: true, smtp_recipients: "ops@team.example" },
  webhook: { webhook_enabled: true, webhook_url: "https://hooks.example/1" },
  discord: { discord_enabled: true, discord_webhook_url: "https://hooks.example/2" },
  slack: { slack_enabled: true, slack_webhook_url: "https://hooks.example/3" },
  telegram: { telegram_enabled: true, telegram_token: "1:t", telegram_chat_id: "7" },
  pushover: { pushover_enabled: true, pushover_user_key: "u", pushover_api_token: "a" }
}

const layerApi = Layer.effect(
  Api,
  Effect.gen(function* () {
    const service = yield* start(undefined, network)
    const served = yield* service.send("GET", "/api/v1/openapi.json", { token: undefined })
    return { service, world: yield* makeWorld(service), document: served.json }
  })
)

/** The endpoints with a body without required fields. */
const optionalBodies: ReadonlyArray<string> = [
  "POST /api/v1/applications/{uuid}/storages/{storage_uuid}/backups/{execution_uuid}/restore",
  "POST /api/v1/databases/{uuid}/backups/{scheduled_backup_uuid}/executions/{execution_uuid}/restore",
  "POST /api/v1/databases/{uuid}/storages/{storage_uuid}/backups/{execution_uuid}/restore",
  "POST /api/v1/deploy",
  "POST /api/v1/servers/{uuid}/claim",
  "POST /api/v1/servers/{uuid}/docker-cleanup/run",
  "POST /api/v1/servers/{uuid}/transfer/complete",
  "POST /api/v1/servers/{uuid}/validate",
  "POST /api/v1/services/{uuid}/storages/{storage_uuid}/backups/{execution_uuid}/restore",
  "POST /api/v1/services/{uuid}/template"
]

const missing = "aaaaaaaaaaaaaaaaaaaaaaaa"
/** Streams never end: a separate test compares their events with the description. */
const isStream = (template: string) => template.endsWith("/stream")

layer(layerApi, { excludeTestServices: true })("the description of the API", (it) => {
  it.effect("is valid OpenAPI 3.1, and equals the description that is generated from the definitions", () =>
    Effect.gen(function* () {
      const { document } = yield* Api
      expect(document).toEqual(JSON.parse(JSON.stringify(OpenApi.fromApi(DeployApi))))
      expect(document.openapi).toBe("3.1.0")
      const { errors, valid } = yield* Effect.promise(() => new Validator().validate(structuredClone(document)))
      expect([valid, errors]).toEqual([true, undefined])
      // Internal names of errors appear in no response, so the description omits them.
      expect(JSON.stringify(document)).not.toContain('"_tag"')
    })
  )

  it.effect("describes every endpoint: its effect, the required permission, and all its responses", () =>
    Effect.gen(function* () {
      const { document } = yield* Api
      const ids = new Set<string>()
      for (const { action, hasBody, method, name, template } of endpoints) {
        const operation = document.paths[template]?.[method.toLowerCase()]
        expect(operation, `${method} ${template}`).toBeDefined()
        expect(operation.summary, name).toMatch(/^[A-Z].*[^.]$/)
        expect(operation.operationId).toBe(name)
        ids.add(operation.operationId)
        expect(operation.security, name).toEqual([{ bearerAuth: [] }])
        if (action === undefined) throw new Error(`${name} has no action`)
        expect(operation["x-access"], name).toEqual({
          action,
          ...rowOf(action),
          because: rules[rowOf(action).rule].because,
          role_because: roleRules[rowOf(action).role].because
        })
        const statuses = Object.keys(operation.responses)
        for (const status of ["400", "401", "403"]) expect(statuses, name).toContain(status)
        if (template.includes("{")) expect(statuses, name).toContain("404")
        expect(operation.requestBody !== undefined, name).toBe(hasBody)
        expect(statuses.includes("413"), name).toBe(hasBody)
        if (hasBody) {
          expect(operation.requestBody.required, name).toBe(!optionalBodies.includes(`${method} ${template}`))
          expect(Object.keys(operation.requestBody.content), name).toEqual(["application/json"])
        }
        for (const [status, response] of Object.entries<{ description: string; content: object }>(
          operation.responses
        )) {
          expect(response.description, `${name} ${status}`).not.toBe("")
          const isText = template === "/api/v1/version" && status === "200"
          const type =
            isStream(template) && status === "200" ? "text/event-stream" : isText ? "text/plain" : "application/json"
          expect(Object.keys(response.content), `${name} ${status}`).toEqual([type])
        }
        const parameters = (operation.parameters as ReadonlyArray<{ in: string; name: string }>).filter(
          (each) => each.in === "path"
        )
        expect(
          parameters.map((each) => `{${each.name}}`),
          name
        ).toEqual(template.match(/\{\w+\}/g) ?? [])
      }
      for (const { method, name, template } of signedEndpoints) {
        const operation = document.paths[template][method.toLowerCase()]
        expect([operation.operationId, operation.security], name).toEqual([name, []])
        expect(operation["x-access"], name).toEqual({
          signature: "application",
          because: "any sender that knows the application's secret"
        })
        expect(operation.requestBody.required, name).toBe(true)
        expect(Object.keys(operation.responses), name).toEqual(["200", "401", "404", "409", "413"])
        ids.add(operation.operationId)
      }
      expect(ids.size).toBe(endpoints.length + signedEndpoints.length)
      expect(document.components.securitySchemes).toMatchObject({ bearerAuth: { type: "http", scheme: "bearer" } })
      const described = Object.values<object>(document.paths).reduce(
        (sum, operations) => sum + Object.keys(operations).length,
        0
      )
      expect(described).toBe(endpoints.length + signedEndpoints.length)
    })
  )

  it.effect("describes the fields of applications like the specification", () =>
    Effect.gen(function* () {
      const { document } = yield* Api
      const schemaOf = (operation: { requestBody: { content: Record<string, { schema: { $ref: string } }> } }) => {
        const { $ref } = operation.requestBody.content["application/json"]?.schema ?? { $ref: "" }
        return document.components.schemas[$ref.split("/").at(-1) ?? ""]
      }
      const resolve = (schema: { $ref?: string }): unknown =>
        schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1) ?? ""]
      for (const { accepted, required, variant } of creations) {
        const schema = schemaOf(document.paths[`/api/v1/applications/${variant}`].post)
        const names = [...accepted.map(({ name }) => name), ...doubledOf(accepted.map(({ name }) => name))]
        expect(Object.keys(schema.properties).sort(), variant).toEqual(
          [...names, ...Object.keys(constants), "tags"].sort()
        )
        // One of the two names of the environment suffices, which JSON Schema's `required` can't state.
        expect([...schema.required].sort()).toEqual(required.filter((name) => !name.startsWith("environment_")).sort())
        expect(schema.additionalProperties, variant).toBe(false)
        for (const field of accepted) {
          const text = JSON.stringify(resolve(schema.properties[field.name]))
          const what = `${variant} ${field.name}: ${text}`
          expect(text.includes(`"type":"${field.type}"`) || field.enum !== undefined, what).toBe(true)
          expect(text.includes('"null"'), what).toBe(field.nullable)
          const { default: unset } = configurationFields[field.name]
          if (unset !== undefined) expect(text, what).toContain(`"default":${JSON.stringify(unset)}`)
          const { enum: words } = resolve(schema.properties[field.name]) as { enum?: ReadonlyArray<string> }
          // The two packers also have Coolify's names.
          const more = field.name === "build_pack" && field.enum?.includes("packer_a") ? ["nixpacks", "railpack"] : []
          if (field.enum !== undefined && !field.nullable) expect(words, what).toEqual([...field.enum, ...more])
          for (const word of field.enum ?? []) expect(text, what).toContain(`"${word}"`)
        }
      }
      const update = schemaOf(document.paths["/api/v1/applications/{uuid}"].patch)
      const known = Object.keys(configurationFields)
      expect(Object.keys(update.properties).sort()).toEqual(
        [...known, ...doubledOf(known), ...Object.keys(constants)].sort()
      )
      expect(update.required).toBeUndefined()
      const flags = document.paths["/api/v1/applications/{uuid}"].delete.parameters.filter(
        (each: { in: string }) => each.in === "query"
      )
      expect(flags).toEqual(
        ["delete_configurations", "delete_volumes", "docker_cleanup", "delete_connected_networks"].map((name) => ({
          name,
          in: "query",
          required: false,
          schema: { type: "boolean", default: true }
        }))
      )
    })
  )

  it.effect("matches every response of a live run", () =>
    Effect.gen(function* () {
      const { document, service, world } = yield* Api
      const ajv = new Ajv2020({ strict: false, allErrors: true })
      addFormats.default(ajv)
      ajv.addSchema(document, "openapi")
      const validators = new Map<string, ValidateFunction>()
      const pointer = (path: string) =>
        path.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")
      const typeOf = (template: string, status: number) =>
        template === "/api/v1/version" && status === 200 ? "text~1plain" : "application~1json"
      const validator = (template: string, method: string, status: number) => {
        const at = `/paths/${pointer(template)}/${method}/responses/${status}/content/${typeOf(template, status)}/schema`
        const known = validators.get(at) ?? ajv.compile({ $ref: `openapi#${at}` })
        validators.set(at, known)
        return known
      }
      const seen = new Set<string>()
      const addBackup: AddBackup = (schedule, s3Storage) => service.within(storageBackup(schedule, s3Storage))
      const run = Effect.fnUntraced(function* (
        status: number,
        method: string,
        template: string,
        path: string,
        body?: unknown,
        token?: string,
        headers: Record<string, string> = {}
      ) {
        const sent = {
          headers,
          ...(body === undefined ? {} : typeof body === "string" ? { raw: body } : { body }),
          ...(token === undefined ? {} : { token })
        }
        const answer = yield* service.send(method, `/api/v1${path}`, sent)
        const what = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`
        expect(answer.status, what).toBe(status)
        const validate = validator(`/api/v1${template}`, method.toLowerCase(), status)
        validate(typeOf(`/api/v1${template}`, status) === "text~1plain" ? answer.text : answer.json)
        expect(validate.errors, what).toBeNull()
        const described = document.paths[`/api/v1${template}`][method.toLowerCase()].responses[status].headers ?? {}
        if (status < 300) {
          for (const [name, { required }] of Object.entries<{ required?: boolean }>(described)) {
            if (required === true) expect(answer.headers.get(name), what).not.toBeNull()
          }
          seen.add(`${method} /api/v1${template}`)
        }
        return answer.json
      })
      const { text: nothing } = yield* service.mint("deploy")
      const all = samples(world, 1)

      const applications: Array<string> = []
      for (const { accepted, variant } of creations) {
        const path = `/applications/${variant}`
        const body = Object.fromEntries(
          accepted.map(({ name }) => [
            name,
            variant === "dockerfile" && name === "build_pack" ? "dockerfile" : all[name]
          ])
        )
        applications.push((yield* run(201, "POST", path, path, body)).uuid)
        applications.push((yield* run(201, "POST", path, path, world.minimal[variant])).uuid)
        yield* run(409, "POST", path, path, { ...world.minimal[variant], domains: all.domains })
        yield* run(400, "POST", path, path, {})
        yield* run(413, "POST", path, path, `{"name":"${"x".repeat(3_000_000)}"}`)
        yield* run(401, "POST", path, path, {}, "x")
        yield* run(403, "POST", path, path, {}, nothing)
      }
      yield* run(200, "GET", "/applications", "/applications")
      yield* run(200, "GET", "/applications", "/applications?page=2&per_page=3")
      yield* run(400, "GET", "/applications", "/applications?page=0")
      for (const uuid of applications) {
        yield* run(200, "GET", "/applications/{uuid}", `/applications/${uuid}`)
        yield* run(200, "PATCH", "/applications/{uuid}", `/applications/${uuid}`, { description: "x" })
      }
      const [first = "", second = ""] = applications
      yield* run(400, "PATCH", "/applications/{uuid}", `/applications/${first}`, { name: 5 })
      yield* run(409, "PATCH", "/applications/{uuid}", `/applications/${second}`, { domains: all.domains })
      const previews = { is_preview_deployments_enabled: true }
      const { uuid: previewed } = yield* service.ask(201, "POST", "/applications/public", {
        ...world.minimal.public,
        ...previews
      })
      yield* run(200, "POST", "/deploy", `/deploy?uuid=${previewed}&pr=7`)
      yield* run(400, "POST", "/deploy", `/deploy?uuid=${first}&pr=0`)
      yield* run(200, "GET", "/applications/{uuid}/deployers", `/applications/${first}/deployers`)
      yield* run(200, "GET", "/applications/{uuid}/previews", `/applications/${previewed}/previews`)
      const preview = [
        "/applications/{uuid}/previews/{pull_request_id}",
        `/applications/${previewed}/previews/7`
      ] as const
      yield* run(200, "DELETE", ...preview)
      yield* run(404, "DELETE", ...preview)
      const tags = yield* run(201, "POST", "/applications/{uuid}/tags", `/applications/${first}/tags`, {
        tag_name: "t"
      })
      yield* run(200, "GET", "/applications/{uuid}/tags", `/applications/${first}/tags`)
      yield* run(200, "DELETE", "/applications/{uuid}/tags/{tag}", `/applications/${first}/tags/${tags[0].uuid}`)
      yield* run(200, "DELETE", "/applications/{uuid}", `/applications/${first}?delete_volumes=false`)
      yield* run(400, "DELETE", "/applications/{uuid}", `/applications/${second}?delete_volumes=x`)
      for (const [list, key] of [
        ["deployments", "deployment_uuid"],
        ["deletions", "uuid"]
      ] as const) {
        const [row] = yield* run(200, "GET", `/${list}`, `/${list}`)
        yield* run(200, "GET", `/${list}/{uuid}`, `/${list}/${row[key]}`)
      }
      const where = { project_uuid: world.project, server_uuid: world.server, environment_name: "production" }
      const forge = {
        name: "f",
        html_url: "https://forge.example",
        app_id: 1,
        installation_id: 1,
        client_id: "c",
        client_secret: "s",
        private_key_uuid: world.key
      }
      const databases: Array<string> = []
      for (const kind of DatabaseKinds.kindNames) {
        const path = `/databases/${kind}`
        const { uuid } = yield* run(201, "POST", path, path, where)
        yield* run(200, "GET", "/databases/{uuid}", `/databases/${uuid}`)
        yield* run(400, "POST", path, path, { ...where, nothing: 1 })
        databases.push(uuid)
      }
      const [database = ""] = databases
      yield* run(200, "GET", "/databases/{uuid}/ssl", `/databases/${database}/ssl`)
      yield* run(200, "GET", "/databases", "/databases")
      yield* run(200, "PATCH", "/databases/{uuid}", `/databases/${database}`, { is_public: true, public_port: 5_432 })
      yield* run(400, "PATCH", "/databases/{uuid}", `/databases/${databases[1]}`, {
        is_public: true,
        public_port: 5_432
      })
      for (const ask of ["start", "restart", "stop"]) {
        yield* run(200, "POST", `/databases/{uuid}/${ask}`, `/databases/${database}/${ask}`)
        yield* run(404, "POST", `/databases/{uuid}/${ask}`, `/databases/nowhere/${ask}`)
      }
      yield* run(200, "GET", "/databases/{uuid}/logs", `/databases/${database}/logs?lines=5`)
      yield* run(200, "POST", "/databases/{uuid}/credentials", `/databases/${database}/credentials`)
      yield* run(404, "POST", "/databases/{uuid}/credentials", "/databases/nowhere/credentials")
      yield* run(200, "GET", "/databases/{uuid}/metrics", `/databases/${database}/metrics`)
      yield* run(200, "GET", "/databases/{uuid}/terminal", `/databases/${database}/terminal`)
      const moved = { environment_uuid: world.environment }
      yield* run(200, "POST", "/databases/{uuid}/move", `/databases/${database}/move`, moved)
      yield* runDatabaseSettings(run, addBackup, world, database)
      const backups = `/databases/${database}/backups`
      const schedule = yield* run(201, "POST", "/databases/{uuid}/backups", backups, {
        frequency: "daily",
        backup_now: true
      })
      yield* run(400, "POST", "/databases/{uuid}/backups", backups, { frequency: "never" })
      yield* run(200, "GET", "/databases/{uuid}/backups", backups)
      const oneBackup = ["/databases/{uuid}/backups/{scheduled_backup_uuid}", `${backups}/${schedule.uuid}`] as const
      yield* run(200, "PATCH", ...oneBackup, { timeout: 60 })
      yield* run(200, "GET", ...oneBackup)
      yield* run(200, "GET", `${oneBackup[0]}/executions`, `${oneBackup[1]}/executions`)
      yield* service.within(
        Effect.flatMap(BackupStore, (store) => store.begin(schedule.uuid, null, failedRun(schedule.uuid)))
      )
      const oneRun = [`${oneBackup[0]}/executions/{execution_uuid}`, `${oneBackup[1]}/executions/${runUuid}`] as const
      yield* run(409, "POST", `${oneRun[0]}/restore`, `${oneRun[1]}/restore`)
      yield* run(400, "POST", `${oneRun[0]}/restore`, `${oneRun[1]}/restore`, { timeout: 1 })
      yield* service.within(serveWithBackup(database, schedule.uuid))
      yield* run(200, "GET", oneRun[0], `${oneBackup[1]}/executions/${madeUuid}`)
      yield* run(201, "POST", `${oneRun[0]}/restore`, `${oneBackup[1]}/executions/${madeUuid}/restore`)
      yield* run(200, "GET", "/databases/{uuid}/restores", `/databases/${database}/restores`)
      yield* run(400, "DELETE", oneRun[0], `${oneRun[1]}?delete_s3=x`)
      yield* run(200, "DELETE", ...oneRun)
      yield* run(404, "DELETE", ...oneRun)
      yield* run(400, "DELETE", oneBackup[0], `${oneBackup[1]}?delete_s3=x`)
      yield* run(200, "DELETE", ...oneBackup)
      yield* run(404, "DELETE", ...oneBackup)
      yield* run(200, "DELETE", "/databases/{uuid}", `/databases/${database}`)
      yield* run(404, "DELETE", "/databases/{uuid}", `/databases/${database}`)
      const { body: connection, forge: connectedForge } = yield* startForge(service)
      const files = { Dockerfile: "FROM nginx", "slipway.yaml": '{"applications": {"web": {"previews": true}}}' }
      connectedForge.repositories.set("acme/site", { defaultBranch: "main", isAdministered: true, files })
      const { uuid: connected } = yield* service.ask(201, "POST", "/forge-connections", connection)
      const short = { ...where, git_repository: "acme/site" }
      const { uuid: linked } = yield* service.ask(201, "POST", "/applications/private-forge-app", short)
      const plan = ["/applications/{uuid}/plan", `/applications/${linked}/plan`] as const
      const planned = yield* run(200, "GET", ...plan)
      expect(planned.problems).toEqual([])
      expect(yield* run(200, "POST", ...plan, { prune: true })).toEqual(planned)
      expect(yield* run(200, "GET", ...plan)).toEqual({ changes: [], problems: [] })
      yield* run(400, "GET", plan[0], `/applications/${second}/plan`)
      yield* run(400, "POST", ...plan, { prune: "x" })
      yield* run(200, "DELETE", "/applications/{uuid}", `/applications/${linked}`)
      yield* run(200, "POST", "/forge-connections/{uuid}/rotate", `/forge-connections/${connected}/rotate`)
      yield* run(409, "POST", "/forge-connections/{uuid}/rotate", `/forge-connections/${connected}/rotate`)
      yield* run(200, "POST", "/forge-connections/{uuid}/disconnect", `/forge-connections/${connected}/disconnect`)
      connectedForge.tokens.set("t0ken", "robot")
      yield* run(200, "DELETE", "/forge-connections/{uuid}", `/forge-connections/${connected}`)
      const build = "/projects/{uuid}/environments/{environment}/build-detection"
      const detection = [build, `/projects/${world.project}/environments/production/build-detection`] as const
      const source = { git_repository: "https://git.test/a/b" }
      yield* run(400, "POST", ...detection, source)
      const sources = yield* service.within(Effect.flatMap(SourceSimulation, Effect.succeed))
      yield* sources.repository(source.git_repository, { _tag: "Anyone" })
      yield* sources.commit(source.git_repository, "main", { message: "Begin", files: { "index.html": "" } })
      yield* run(200, "POST", ...detection, source)
      yield* run(404, "POST", build, "/projects/nowhere/environments/production/build-detection", source)
      const check = ["/applications/{uuid}/health-check", `/applications/${second}/health-check`] as const
      expect(yield* run(200, "POST", ...check)).toEqual({
        is_healthy: false,
        reason: "no release is serving",
        containers: []
      })
      yield* run(404, "POST", check[0], "/applications/aaaaaaaaaaaaaaaaaaaaaaaa/health-check")
      yield* run(200, "GET", "/applications/{uuid}/metrics", `/applications/${second}/metrics`)
      yield* run(400, "GET", "/applications/{uuid}/metrics", `/applications/${second}/metrics?hours=x`)
      yield* run(200, "GET", "/applications/{uuid}/terminal", `/applications/${second}/terminal`)
      yield* run(404, "GET", "/applications/{uuid}/terminal", "/applications/nowhere/terminal")
      const nouns: ReadonlyArray<readonly [path: string, creation: object, change: object]> = [
        ["/projects", { name: "x" }, { description: "y" }],
        ["/servers", { name: "x", ip: "10.0.0.1" }, { port: 23 }],
        [
          "/services",
          { ...where, name: "x", docker_compose_raw: "x", urls: [{ name: "w", url: "http://w.example" }] },
          { name: "y" }
        ],
        ["/security/keys", { private_key: newKey() }, { name: "y" }],
        ["/forge-apps", forge, { organization: "y" }],
        ["/forge-connections", connection, { name: "y" }],
        [
          "/s3-storages",
          { name: "x", endpoint: "https://s3.example", bucket: "b", region: "auto", key: "k", secret: "s" },
          { description: null }
        ],
        ["/registries", { registry: "x.example", username: "u", password: "p" }, { description: "y" }]
      ]
      const gitlab = yield* run(201, "POST", "/gitlab-apps", "/gitlab-apps", {
        name: "x",
        html_url: "https://x.example"
      })
      const gitlabApp = ["/gitlab-apps/{gitlab_app_id}", `/gitlab-apps/${gitlab.id}`] as const
      yield* run(400, "POST", "/gitlab-apps", "/gitlab-apps", { name: "x" })
      yield* run(200, "GET", "/gitlab-apps", "/gitlab-apps")
      yield* run(200, "GET", ...gitlabApp)
      yield* run(200, "PATCH", ...gitlabApp, { custom_port: 2_222 })
      yield* run(200, "DELETE", ...gitlabApp)
      yield* run(404, "DELETE", ...gitlabApp)
      yield* run(404, "GET", ...gitlabApp)
      const known = { address: "forge.example:22", fingerprint: "SHA256:abc" }
      yield* service.within(Effect.flatMap(RepositoryHostKeyStore, (store) => store.admit(known)))
      const hostKeys = "/security/host-keys"
      expect(yield* run(200, "GET", hostKeys, hostKeys)).toEqual([known])
      const hostKey = [`${hostKeys}/{address}`, `${hostKeys}/${known.address}`] as const
      yield* run(200, "DELETE", ...hostKey)
      yield* run(404, "DELETE", ...hostKey)

      for (const [path, creation, change] of nouns) {
        const { uuid } = yield* run(201, "POST", path, path, creation)
        yield* run(400, "POST", path, path, { nothing: 1 })
        yield* run(200, "GET", path, path)
        yield* run(200, "GET", path, `${path}?per_page=1`)
        yield* run(200, "GET", `${path}/{uuid}`, `${path}/${uuid}`)
        const changed = path === "/projects" || path === "/servers" ? 201 : 200
        yield* run(changed, "PATCH", `${path}/{uuid}`, `${path}/${uuid}`, change)
        if (path === "/projects") {
          const { uuid: staging } = yield* run(
            201,
            "POST",
            `${path}/{uuid}/environments`,
            `${path}/${uuid}/environments`,
            { name: "staging" }
          )
          yield* run(409, "POST", `${path}/{uuid}/environments`, `${path}/${uuid}/environments`, { name: "staging" })
          yield* run(200, "GET", `${path}/{uuid}/environments`, `${path}/${uuid}/environments`)
          yield* run(200, "GET", `${path}/{uuid}/{environment}`, `${path}/${uuid}/staging`)
          const at = [`${path}/{uuid}/environments/{environment}`, `${path}/${uuid}/environments/${staging}`] as const
          yield* run(
            200,
            "GET",
            `${path}/{uuid}/environments/{environment}/deployers`,
            `${path}/${uuid}/environments/${staging}/deployers`
          )
          yield* run(200, "GET", ...at)
          yield* run(409, "PATCH", ...at, { name: "production" })
          yield* run(200, "PATCH", ...at, { name: "other" })
          yield* run(200, "DELETE", ...at)
        }
        if (path === "/services") {
          yield* run(200, "GET", `${path}/{uuid}/terminal`, `${path}/${uuid}/terminal`)
          yield* run(200, "GET", `${path}/{uuid}/metrics`, `${path}/${uuid}/metrics?hours=24`)
        }
        if (path === "/s3-storages") yield* run(200, "POST", `${path}/{uuid}/validate`, `${path}/${uuid}/validate`)
        if (path === "/servers") {
          const checks = [`${path}/{uuid}/validate`, `${path}/${uuid}/validate`] as const
          yield* run(200, "GET", ...checks)
          yield* run(201, "POST", ...checks)
          const image = { configuration: "services:\n  caddy:\n    image: caddy:2\n" }
          const configuration = [`${path}/{uuid}/proxy/configuration`, `${path}/${uuid}/proxy/configuration`] as const
          yield* run(409, "PUT", ...configuration, image)
          const remote = { name: "remote", ip: "10.0.0.2", private_key_uuid: world.key }
          const { uuid: keyed } = yield* run(201, "POST", path, path, remote)
          yield* run(200, "PUT", configuration[0], `${path}/${keyed}/proxy/configuration`, image)
          yield* run(400, "PUT", configuration[0], `${path}/${keyed}/proxy/configuration`, { configuration: "x" })
          yield* run(200, "DELETE", `${path}/{uuid}`, `${path}/${keyed}`)
          const drains = [`${path}/{uuid}/log-drains`, `${path}/${uuid}/log-drains`] as const
          yield* run(200, "GET", ...drains)
          yield* run(200, "PATCH", ...drains, { logdrain_syslog_url: "tcp://logs.example" })
          yield* run(400, "PATCH", ...drains, { is_logdrain_http_enabled: true })
          const sentinel = [`${path}/{uuid}/sentinel`, `${path}/${uuid}/sentinel`] as const
          yield* run(200, "GET", ...sentinel)
          yield* run(200, "PATCH", ...sentinel, { is_metrics_enabled: true })
          yield* run(400, "PATCH", ...sentinel, { sentinel_token: "x" })
          yield* run(200, "GET", `${path}/{uuid}/metrics`, `${path}/${uuid}/metrics?hours=24`)
          yield* run(400, "GET", `${path}/{uuid}/metrics`, `${path}/${uuid}/metrics?hours=0`)
          yield* run(200, "DELETE", `${path}/{uuid}/host-keys`, `${path}/${uuid}/host-keys`)
          const at = [`${path}/{uuid}/destinations`, `${path}/${uuid}/destinations`] as const
          const { uuid: destination } = yield* run(201, "POST", ...at, { network: "n" })
          yield* run(409, "POST", ...at, { network: "n" })
          yield* run(200, "GET", ...at)
          yield* run(200, "DELETE", `${at[0]}/{destination}`, `${at[1]}/${destination}`)
        }
        yield* run(200, "DELETE", `${path}/{uuid}`, `${path}/${uuid}`)
        yield* run(404, "GET", `${path}/{uuid}`, `${path}/${uuid}`)
      }
      yield* run(409, "DELETE", "/projects/{uuid}", `/projects/${world.project}`)
      const runs = yield* run(
        201,
        "POST",
        "/applications/dockerimage",
        "/applications/dockerimage",
        world.minimal.dockerimage
      )
      const at = (rest: string) => [`/applications/{uuid}${rest}`, `/applications/${runs.uuid}${rest}`] as const
      const { uuid: variable } = yield* run(201, "POST", ...at("/envs"), { key: "A", value: "a" })
      yield* run(409, "POST", ...at("/envs"), { key: "A", value: "b" })
      yield* run(201, "PATCH", ...at("/envs"), { key: "A", value: "b" })
      yield* run(201, "PATCH", ...at("/envs/bulk"), {
        data: [
          { key: "A", value: "c" },
          { key: "B", value: "d" }
        ]
      })
      yield* run(200, "GET", ...at("/envs"))
      yield* run(200, "DELETE", `${at("/envs")[0]}/{env_uuid}`, `${at("/envs")[1]}/${variable}`)
      yield* run(200, "POST", "/deploy", `/deploy?uuid=${runs.uuid}`)
      yield* run(400, "POST", "/deploy", "/deploy")
      for (const what of ["start", "stop", "restart"]) yield* run(200, "POST", ...at(`/${what}`))
      yield* run(400, "POST", ...at("/rollback"), { commit: "nothing" })
      yield* service.within(
        Effect.gen(function* () {
          const application = yield* (yield* ApplicationStore).find(runs.uuid)
          if (application === undefined) return yield* Effect.die("the application is gone")
          const { configuration, generatedDomain, secrets } = application
          yield* (yield* ReleaseStore).insert({
            uuid: ReleaseUuid.make("release00000000000000001"),
            applicationUuid: application.uuid,
            deploymentUuid: DeploymentUuid.make("deployment00000000000001"),
            commit: "0a1b2c3",
            commitMessage: null,
            imageId: "sha256:1",
            imagePort: null,
            configuration,
            generatedDomain,
            secrets,
            compose: null,
            variables: [],
            createdAt: application.createdAt
          })
        })
      )
      yield* run(200, "POST", ...at("/rollback"), { commit: "0a1b2c3" })
      yield* run(200, "GET", ...at("/rollback-images"))
      yield* run(200, "GET", ...at("/status"))
      yield* run(200, "GET", ...at("/logs"))
      const {
        deployments: [queued]
      } = yield* run(200, "GET", "/deployments/applications/{uuid}", `/deployments/applications/${runs.uuid}`)
      const deployment = `/deployments/${queued.deployment_uuid}`
      yield* run(200, "GET", "/deployments/{uuid}/logs", `${deployment}/logs`)
      for (const ask of ["approve", "reject"]) {
        yield* service.within(
          Effect.gen(function* () {
            const store = yield* DeploymentStore
            const row = yield* store.find(queued.deployment_uuid)
            if (row === undefined) return yield* Effect.die("the deployment is gone")
            yield* store.replace({ ...row, status: "queued", approvalUntil: "2099-01-01T00:00:00.000Z" })
          })
        )
        yield* run(200, "POST", `/deployments/{uuid}/${ask}`, `${deployment}/${ask}`)
        yield* run(409, "POST", `/deployments/{uuid}/${ask}`, `${deployment}/${ask}`)
      }
      yield* run(200, "POST", "/deployments/{uuid}/cancel", `${deployment}/cancel`)
      const { uuid: followed } = yield* run(201, "POST", "/applications/public", "/applications/public", {
        ...world.minimal.public,
        manual_webhook_secret_forgeB: "secret B"
      })
      const hook = "/applications/{uuid}/webhooks/{provider}"
      const hooked = (status: number, path: string, body: unknown, secret = "secret B") =>
        run(status, "POST", hook, `/applications/${followed}/webhooks/${path}`, body, undefined, {
          "x-gitlab-token": secret
        })
      const push = { object_kind: "push", ref: "refs/heads/main", before: "0".repeat(40), after: "5d41402a".repeat(5) }
      yield* hooked(200, "gitlab", push)
      yield* hooked(409, "gitlab", push)
      yield* hooked(200, "gitlab", { ...push, ref: "refs/heads/other" })
      yield* hooked(401, "gitlab", push, "another")
      yield* hooked(404, "unknown", push)
      yield* hooked(413, "gitlab", " ".repeat(2 ** 20 + 1))
      const [delivered] = yield* run(
        200,
        "GET",
        "/applications/{uuid}/webhook-deliveries",
        `/applications/${followed}/webhook-deliveries?take=1`
      )
      yield* run(200, "GET", "/webhook-deliveries/{uuid}", `/webhook-deliveries/${delivered.uuid}`)
      const person = yield* run(201, "POST", "/accounts", "/accounts", { name: "ann", password: "correct horse" })
      yield* run(409, "POST", "/accounts", "/accounts", { name: "ann" })
      yield* run(200, "GET", "/accounts", "/accounts")
      yield* run(200, "GET", "/accounts/{uuid}", `/accounts/${person.uuid}`)
      yield* run(200, "PATCH", "/accounts/{uuid}", `/accounts/${person.uuid}`, { is_root: true })
      const signedIn = yield* signInAs(service, person.uuid)
      const own = (status: number, method: string, template: string, path: string, body?: unknown) =>
        run(status, method, template, path, body, signedIn)
      const me = yield* own(200, "GET", "/account", "/account")
      const [{ uuid: identity }] = me.identities
      yield* own(200, "DELETE", "/account/identities/{identity_uuid}", `/account/identities/${identity}`)
      const passwords = { current_password: "correct horse", new_password: "battery staple" }
      yield* own(200, "PUT", "/account/password", "/account/password", passwords)
      const mine = yield* own(201, "POST", "/account/tokens", "/account/tokens", { name: "t", abilities: ["read"] })
      yield* own(200, "GET", "/account/tokens", "/account/tokens")
      yield* own(200, "DELETE", "/account/tokens/{token_uuid}", `/account/tokens/${mine.uuid}`)
      const [session] = yield* own(200, "GET", "/account/sessions", "/account/sessions")
      yield* own(200, "DELETE", "/account/sessions/{session_uuid}", `/account/sessions/${session.uuid}`)
      const again = yield* signInAs(service, person.uuid)
      yield* run(200, "DELETE", "/account/sessions", "/account/sessions", undefined, again)
      const token = yield* run(201, "POST", "/tokens", "/tokens", { name: "t", abilities: ["read"], expires_at: null })
      yield* run(200, "GET", "/tokens", "/tokens")
      yield* run(200, "GET", "/tokens/{uuid}", `/tokens/${token.uuid}`)
      yield* run(200, "GET", "/token", "/token")
      yield* run(200, "DELETE", "/tokens/{uuid}", `/tokens/${token.uuid}`)
      yield* run(200, "GET", "/version", "/version")
      yield* run(201, "POST", "/applications/private-github-app", "/applications/private-github-app", {
        ...world.minimal["private-forge-app"]
      })
      const disk = { type: "persistent", name: "data", mount_path: "/data" }
      const storage = yield* run(201, "POST", ...at("/storages"), disk)
      yield* run(409, "POST", ...at("/storages"), disk)
      yield* run(200, "PATCH", ...at("/storages"), { type: "persistent", uuid: storage.uuid, name: "more" })
      yield* run(200, "GET", ...at("/storages"))
      const oneStorage = [`${at("/storages")[0]}/{storage_uuid}`, `${at("/storages")[1]}/${storage.uuid}`] as const
      yield* runStorageBackups(run, addBackup, ...oneStorage)
      yield* run(200, "DELETE", ...oneStorage)
      yield* run(200, "POST", ...at("/move"), { environment_uuid: world.environment })
      yield* run(201, "POST", ...at("/clone"), { destination_uuid: world.destination })
      yield* run(200, "GET", "/github-apps", "/github-apps")
      const githubKey = yield* run(201, "POST", "/security/keys", "/security/keys", { private_key: newKey() })
      const github = yield* run(201, "POST", "/github-apps", "/github-apps", {
        name: "g",
        html_url: "https://github.com",
        app_id: 1,
        installation_id: 2,
        client_id: "c",
        client_secret: "s",
        private_key_uuid: githubKey.uuid
      })
      const githubApp = ["/github-apps/{github_app_id}", `/github-apps/${github.id}`] as const
      yield* run(200, "GET", ...githubApp)
      yield* run(200, "PATCH", ...githubApp, { name: "h" })
      yield* service.within(Effect.flatMap(HostSimulation, ({ has }) => has(2, [hosted])))
      const repositories = [`${githubApp[0]}/repositories`, `${githubApp[1]}/repositories`] as const
      const branches = ["{owner}/{repo}/branches", "team/shop/branches"] as const
      yield* run(200, "GET", ...repositories)
      yield* run(200, "GET", `${repositories[0]}/${branches[0]}`, `${repositories[1]}/${branches[1]}`)
      yield* run(200, "DELETE", ...githubApp)
      yield* run(200, "GET", "/deploy", `/deploy?uuid=${runs.uuid}`)
      yield* run(200, "GET", "/resources", "/resources")
      yield* run(200, "GET", "/servers/{uuid}/resources", `/servers/${world.server}/resources`)
      yield* run(200, "GET", "/servers/{uuid}/domains", `/servers/${world.server}/domains`)
      yield* run(200, "GET", "/servers/{uuid}/proxy", `/servers/${world.server}/proxy`)
      yield* run(200, "PATCH", "/servers/{uuid}/proxy", `/servers/${world.server}/proxy`, { proxy_type: "CADDY" })
      yield* run(200, "GET", "/servers/{uuid}/proxy/status", `/servers/${world.server}/proxy/status`)
      yield* run(200, "POST", "/servers/{uuid}/proxy/restart", `/servers/${world.server}/proxy/restart`)
      const cleanup = `/servers/${world.server}/docker-cleanup`
      yield* run(200, "GET", "/servers/{uuid}/docker-cleanup", cleanup)
      yield* run(200, "PATCH", "/servers/{uuid}/docker-cleanup", cleanup, { docker_cleanup_frequency: "daily" })
      yield* run(200, "POST", "/servers/{uuid}/docker-cleanup/run", `${cleanup}/run`, {})
      yield* run(200, "GET", "/servers/{uuid}/docker-cleanup/executions", `${cleanup}/executions`)
      yield* run(200, "GET", "/teams", "/teams")
      yield* run(200, "GET", "/teams/{id}", "/teams/0")
      yield* run(200, "GET", "/teams/{id}/members", "/teams/current/members")
      const team = yield* run(201, "POST", "/teams", "/teams", { name: "other", token_days: 30 })
      yield* run(200, "PATCH", "/teams/{id}", `/teams/${team.id}`, { description: "" })
      const account = yield* makeAccount(service, "person")
      const member = { account_uuid: account.uuid }
      yield* run(201, "POST", "/teams/{id}/members", `/teams/${team.id}/members`, member)
      const groups = ["/teams/{id}/groups", `/teams/${team.id}/groups`] as const
      const group = yield* run(201, "POST", ...groups, { name: "operations" })
      yield* run(409, "POST", ...groups, { name: "Operations" })
      yield* run(200, "GET", ...groups)
      const oneGroup = [`${groups[0]}/{group}`, `${groups[1]}/${group.uuid}`] as const
      yield* run(200, "PATCH", ...oneGroup, { name: "ops" })
      const inGroup = [`${oneGroup[0]}/members`, `${oneGroup[1]}/members`] as const
      yield* run(201, "POST", ...inGroup, member)
      yield* run(200, "DELETE", `${inGroup[0]}/{account}`, `${inGroup[1]}/${account.uuid}`)
      yield* run(404, "DELETE", `${inGroup[0]}/{account}`, `${inGroup[1]}/${account.uuid}`)
      yield* run(200, "DELETE", ...oneGroup)
      yield* run(404, "DELETE", ...oneGroup)
      yield* run(200, "DELETE", "/teams/{id}/members/{account}", `/teams/${team.id}/members/${account.uuid}`)
      yield* run(404, "DELETE", "/teams/{id}/members/{account}", `/teams/${team.id}/members/${account.uuid}`)
      yield* run(200, "DELETE", "/teams/{id}", `/teams/${team.id}`)
      yield* run(409, "DELETE", "/teams/{id}", "/teams/0")
      const role = yield* run(201, "POST", "/roles", "/roles", { name: "restarter", capabilities: ["view", "operate"] })
      yield* run(409, "POST", "/roles", "/roles", { name: "RESTARTER", capabilities: [] })
      yield* run(200, "GET", "/roles", "/roles")
      yield* run(200, "GET", "/roles/{role}", `/roles/${role.uuid}`)
      yield* run(200, "PATCH", "/roles/{role}", `/roles/${role.uuid}`, { capabilities: ["view"] })
      const invitation = { ...member, place_type: "team", role: "restarter" }
      const invited = yield* run(201, "POST", "/teams/{id}/invitations", "/teams/0/invitations", invitation)
      yield* run(200, "GET", "/teams/{id}/invitations", "/teams/0/invitations")
      yield* run(200, "GET", "/invitations", "/invitations")
      const accepted = yield* run(201, "POST", "/teams/{id}/invitations", "/teams/0/invitations", invitation)
      const personal = yield* tokenOf(service, account.uuid)
      const accept = ["/invitations/{invitation}/accept", `/invitations/${accepted.uuid}/accept`] as const
      yield* run(404, "POST", ...accept)
      yield* run(200, "POST", ...accept, undefined, personal)
      yield* run(200, "DELETE", "/invitations/{invitation}", `/invitations/${invited.uuid}`)
      yield* run(200, "POST", "/access/preview", "/access/preview", invitation)
      const grant = yield* run(201, "POST", "/grants", "/grants", invitation)
      yield* run(200, "GET", "/grants", "/grants")
      yield* run(200, "GET", "/grants/{grant}", `/grants/${grant.uuid}`)
      yield* run(200, "DELETE", "/grants/{grant}", `/grants/${grant.uuid}`)
      yield* run(200, "DELETE", "/roles/{role}", `/roles/${role.uuid}`)
      yield* run(200, "POST", "/access/check", "/access/check", { checks: [{ action: "project.create" }] })
      yield* run(200, "GET", "/access/explain", "/access/explain?action=project.create")
      yield* run(200, "GET", "/access/objects", "/access/objects?action=project.read")
      yield* run(200, "GET", "/access/subjects", "/access/subjects?action=project.create")
      yield* run(200, "GET", "/audit", "/audit")
      yield* run(200, "GET", "/team", "/team")
      yield* run(200, "GET", "/team/members", "/team/members")
      for (const [template, path] of [
        ["/team/envs", "/team/envs"],
        ["/projects/{project_uuid}/envs", `/projects/${world.project}/envs`],
        [
          "/projects/{project_uuid}/environments/{environment}/envs",
          `/projects/${world.project}/environments/production/envs`
        ],
        ["/servers/{server_uuid}/envs", `/servers/${world.server}/envs`]
      ] as const) {
        const made = yield* run(201, "POST", template, path, { key: "SHARED", value: "secret" })
        yield* run(409, "POST", template, path, { key: "SHARED", value: "secret" })
        yield* run(200, "GET", template, path)
        yield* run(200, "PATCH", `${template}/{env_id}`, `${path}/${made.id}`, { value: null })
        yield* run(200, "DELETE", `${template}/{env_id}`, `${path}/${made.id}`)
      }
      yield* runService(run, addBackup, world)
      yield* runTransfers(run, world.key)
      const half = newKey()
      yield* run(201, "POST", "/security/keys", "/security/keys", { private_key: half })
      yield* run(201, "PATCH", "/security/keys", "/security/keys", { private_key: half, description: "d" })
      yield* run(200, "GET", ...at("/destinations"))
      const more = yield* run(201, "POST", "/servers", "/servers", {
        name: "second",
        ip: "10.0.0.2",
        private_key_uuid: world.key
      })
      const [{ uuid: elsewhere }] = yield* service.ask(200, "GET", `/servers/${more.uuid}/destinations`)
      yield* run(201, "POST", ...at("/destinations"), { destination_uuid: elsewhere })
      yield* run(400, "POST", ...at("/destinations"), { destination_uuid: elsewhere })
      const [ofDestinations, destinations] = at("/destinations")
      yield* run(200, "DELETE", `${ofDestinations}/{destination_uuid}`, `${destinations}/${elsewhere}`)
      yield* run(200, "POST", ...at("/migrate"), { destination_uuid: world.destination })
      const nightly = { name: "nightly", command: "true", frequency: "daily" }
      const task = yield* run(201, "POST", ...at("/scheduled-tasks"), nightly)
      const ofTask = [`${at("/scheduled-tasks")[0]}/{task_uuid}`, `${at("/scheduled-tasks")[1]}/${task.uuid}`] as const
      yield* run(200, "GET", ...at("/scheduled-tasks"))
      yield* run(200, "PATCH", ...ofTask, { enabled: false })
      yield* run(200, "POST", `${ofTask[0]}/execute`, `${ofTask[1]}/execute`)
      yield* run(200, "GET", `${ofTask[0]}/executions`, `${ofTask[1]}/executions`)
      yield* run(200, "DELETE", ...ofTask)
      const tag = yield* run(201, "POST", "/tags", "/tags", { name: "by itself" })
      yield* run(200, "GET", "/tags", "/tags")
      yield* run(200, "GET", "/tags/{tag}", `/tags/${tag.uuid}`)
      yield* run(200, "PATCH", "/tags/{tag}", `/tags/${tag.uuid}`, { name: "renamed" })
      yield* run(200, "DELETE", "/tags/{tag}", `/tags/${tag.uuid}`)
      const apart = yield* run(201, "POST", "/servers/{uuid}/destinations", `/servers/${world.server}/destinations`, {
        network: "apart"
      })
      yield* run(200, "GET", "/destinations", "/destinations")
      yield* run(200, "GET", "/destinations/{destination}", `/destinations/${apart.uuid}`)
      yield* run(200, "PATCH", "/destinations/{destination}", `/destinations/${apart.uuid}`, { name: "n" })
      yield* run(200, "DELETE", "/destinations/{destination}", `/destinations/${apart.uuid}`)
      for (const [channel, settings] of Object.entries(channels)) {
        const path = `/notifications/${channel}`
        yield* run(200, "GET", path, path)
        yield* run(400, "POST", `${path}/test`, `${path}/test`)
        yield* run(200, "PATCH", path, path, settings)
        yield* run(200, "POST", `${path}/test`, `${path}/test`)
      }
      const broken = { slack_webhook_url: "https://hooks.example/broken" }
      yield* run(200, "PATCH", "/notifications/slack", "/notifications/slack", broken)
      yield* run(502, "POST", "/notifications/slack/test", "/notifications/slack/test")
      yield* run(200, "PATCH", "/settings", "/settings", { instance_domains: "http://own.example" })
      yield* run(200, "GET", "/settings", "/settings")
      yield* run(200, "POST", "/mcp/enable", "/mcp/enable")
      yield* run(200, "POST", "/mcp/disable", "/mcp/disable")
      yield* run(200, "POST", "/disable", "/disable")
      yield* run(200, "POST", "/enable", "/enable")
      for (const { hasBody, method, template } of endpoints) {
        if (!template.includes("{")) continue
        const short = template.replace("/api/v1", "")
        yield* run(404, method, short, short.replace(/\{\w+\}/g, missing), hasBody ? {} : undefined)
      }
      expect(
        [...endpoints, ...signedEndpoints]
          .filter(({ template }) => !isStream(template))
          .map(({ method, template }) => `${method} ${template}`)
          .filter((each) => !seen.has(each))
      ).toEqual([])
    })
  )
})
