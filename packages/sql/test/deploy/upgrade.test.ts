import { expect, it } from "@effect/vitest"
import {
  ApplicationStore,
  DeploymentStore,
  type EnvironmentUuid,
  ProjectStore,
  type ProjectUuid,
  ReleaseStore
} from "@slipway/domain/deploy/apps"
import { rootTeam } from "@slipway/domain/deploy/identity"
import {
  type DestinationUuid,
  PrivateKeyStore,
  ServerStore,
  type ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import { Database, migrate } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/deploy"
import { testDatabase } from "@slipway/sql/testing"
import { configurationOf, newApplication, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onEachEngine, onServer } from "../support/engines.ts"

// The schema of the version before repositories, compose files and webhooks.
const earlier = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === "0016_compose")
)

const at = "2026-01-02T03:04:05.000Z"

/** Writes a placement in an old schema with servers. `isKeyed` is true if the schema has keys for project names. */
const plantPlace = Effect.fnUntraced(function* (number: number, isKeyed = false) {
  const sql = yield* SqlClient
  const [project, environment] = [
    uuidOf<ProjectUuid>("project", number),
    uuidOf<EnvironmentUuid>("environment", number)
  ]
  const [server, destination] = [uuidOf<ServerUuid>("server", number), uuidOf<DestinationUuid>("destination", number)]
  const name = `project ${number}`
  yield* sql`
    INSERT INTO project ${sql.insert({ uuid: project, name, description: "", created_at: at, updated_at: at, ...(isKeyed ? { name_key: name } : {}) })}`
  yield* sql`
    INSERT INTO environment (uuid, project_uuid, name, name_key, description, created_at, updated_at)
    VALUES (${environment}, ${project}, 'production', 'production', '', now(), now())`
  yield* sql`
    INSERT INTO server (
      uuid, name, description, ip, port, login, is_build_server, proxy_type, concurrent_builds, deployment_queue_limit,
      dynamic_timeout, connection_timeout, created_at, updated_at
    )
    VALUES (${server}, ${`server ${number}`}, '', '127.0.0.1', 22, 'root', false, 'caddy', 1, 1, 1, 1, now(), now())`
  yield* sql`
    INSERT INTO destination (uuid, server_uuid, name, network, network_key, created_at, updated_at)
    VALUES (${destination}, ${server}, 'd', ${`n${number}`}, ${`n${number}`}, now(), now())`
  return {
    projectUuid: project,
    environmentUuid: environment,
    environmentName: "production",
    teamId: rootTeam,
    isProtected: false,
    serverUuid: server,
    destinationUuid: destination
  }
})

onEachEngine(({ database }) => {
  it.effect("an instance of an earlier version keeps serving its applications", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const placement = yield* plantPlace(1)
      yield* sql`
        INSERT INTO project (uuid, name, description, created_at, updated_at) VALUES ('double', 'PROJECT 1', '', now(), now())`
      const [server, destination] = [{ uuid: placement.serverUuid }, { uuid: placement.destinationUuid }]
      const { configuration, uuid } = newApplication(1, placement)
      yield* sql`
        INSERT INTO application (uuid, variant, environment_uuid, server_uuid, destination_uuid, configuration, secrets, created_at, updated_at)
        VALUES (${uuid}, 'public', ${placement.environmentUuid}, ${server.uuid}, ${destination.uuid},
          ${JSON.stringify(configuration)}::jsonb, '{}', now(), now())`
      const [deployment, release] = [uuidOf<string>("deployment", 1), "release".padEnd(24, "0")]
      yield* sql`
        INSERT INTO deployment (uuid, application_uuid, application_name, server_uuid, server_name, destination_uuid, commit_sha,
          status, created_at, updated_at)
        VALUES (${deployment}, ${uuid}, 'a', ${server.uuid}, 's', ${destination.uuid}, 'HEAD', 'finished', now(), now())`
      yield* sql`
        INSERT INTO release (uuid, application_uuid, deployment_uuid, commit_sha, image_id, configuration, secrets, variables, created_at)
        VALUES (${release}, ${uuid}, ${deployment}, 'HEAD', 'sha256:1', ${JSON.stringify(configurationOf({}))}::jsonb, '{}', '[]', now())`
      yield* sql`
        INSERT INTO serving (application_uuid, release_uuid, deployment_uuid) VALUES (${uuid}, ${release}, ${deployment})`
      yield* sql`
        INSERT INTO private_key (uuid, name, description, private_key, public_key, fingerprint, created_at, updated_at)
        SELECT key, key, '', 's', 'p', 'f', now(), now() FROM (VALUES ('app'), ('ssh')) AS keys (key)`
      yield* sql`
        INSERT INTO forge_app (uuid, name, api_url, html_url, custom_user, custom_port, app_id, installation_id, client_id,
          client_secret, private_key_uuid, created_at, updated_at)
        SELECT host, host, 'https://' || host, '', 'git', 22, 1, 1, '', '', 'app', now(), now()
        FROM (VALUES ('first.example'), ('second.example')) AS hosts (host)`
      const [row] = yield* sql<{ readonly name: string }>`SELECT current_schema()::text AS name`
      yield* migrate(row?.name ?? "", migrations)
      const projects = yield* (yield* ProjectStore).list({ limit: 9 })
      expect(projects.map(({ name }) => name)).toEqual(["project 1", "PROJECT 1 double"])
      const keys = yield* (yield* PrivateKeyStore).list({ limit: 9 })
      expect(keys.map(({ signsFor, uuid }) => [uuid, signsFor])).toEqual([
        ["app", "https://first.example"],
        ["ssh", null]
      ])
      const releases = yield* ReleaseStore
      expect(yield* releases.servingOn(server.uuid)).toEqual([
        {
          applicationUuid: uuid,
          degraded: null,
          unhealthy: null,
          releaseUuid: release,
          deploymentUuid: deployment,
          serverUuid: server.uuid,
          destinationUuid: destination.uuid
        }
      ])
      expect(yield* releases.find(release as never)).toMatchObject({ compose: null, commitMessage: null })
      expect(yield* (yield* DeploymentStore).find(deployment as never)).toMatchObject({
        trigger: "api",
        commitMessage: null,
        pusher: null
      })
    }).pipe(Effect.provide(Layer.provideMerge(layerStores, database)))
  )
}, earlier)

onServer("a database of an earlier version", () => {
  it.live("rows of each migration stay usable after the upgrade", () =>
    Effect.gen(function* () {
      const address = yield* testDatabase
      const numberOf = (name: string) => migrations.findIndex((each) => each.name === name) + 1
      const [first, keyed] = [numberOf("0004_servers"), numberOf("0021_once")]
      const versions = migrations.slice(first - 1).map((_, index) => first + index)
      yield* Effect.forEach(versions, (version) =>
        Effect.andThen(migrate("deploy", migrations.slice(0, version)), plantPlace(version, version >= keyed))
      ).pipe(Effect.provide(Database.layer(address, { schema: "deploy", migrations: migrations.slice(0, 1) })))
      yield* Effect.gen(function* () {
        const [projects, servers] = [yield* ProjectStore, yield* ServerStore]
        const names = (things: ReadonlyArray<{ readonly name: string }>) => things.map(({ name }) => name).sort()
        const told = (what: string) => versions.map((version) => `${what} ${version}`).sort()
        expect(names(yield* projects.list({ limit: 100 }))).toEqual(told("project"))
        expect(names(yield* servers.list({ limit: 100 }))).toEqual(told("server"))
        for (const version of versions) {
          const application = newApplication(version, {
            projectUuid: uuidOf("project", version),
            environmentUuid: uuidOf("environment", version),
            environmentName: "production",
            teamId: rootTeam,
            isProtected: false,
            serverUuid: uuidOf("server", version),
            destinationUuid: uuidOf("destination", version)
          })
          yield* (yield* ApplicationStore).insert(application)
        }
      }).pipe(
        Effect.provide(Layer.provideMerge(layerStores, Database.layer(address, { schema: "deploy", migrations })))
      )
    })
  )
})
