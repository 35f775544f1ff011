import { expect, it } from "@effect/vitest"
import {
  ApplicationStore,
  DeploymentStore,
  type DestinationUuid,
  type EnvironmentUuid,
  ProjectStore,
  type ProjectUuid,
  ReleaseStore,
  type ServerUuid
} from "@slipway/domain/deploy"
import { migrate } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/deploy"
import { configurationOf, newApplication, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onEachEngine } from "../support/engines.ts"

// The schema of the version before repositories, compose files and webhooks.
const earlier = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === "0016_compose")
)

/** Writes a place as the earlier version did, in two projects of one name. */
const plantEarlier = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [project, environment] = [uuidOf<ProjectUuid>("project", 1), uuidOf<EnvironmentUuid>("environment", 1)]
  const [server, destination] = [uuidOf<ServerUuid>("server", 1), uuidOf<DestinationUuid>("destination", 1)]
  yield* sql`
    INSERT INTO project (uuid, name, description, created_at, updated_at)
    VALUES (${project}, 'project 1', '', now(), now()), ('double', 'PROJECT 1', '', now(), now())`
  yield* sql`
    INSERT INTO environment (uuid, project_uuid, name, name_key, description, created_at, updated_at)
    VALUES (${environment}, ${project}, 'production', 'production', '', now(), now())`
  yield* sql`
    INSERT INTO server (
      uuid, name, description, ip, port, login, is_build_server, proxy_type, concurrent_builds, deployment_queue_limit,
      dynamic_timeout, connection_timeout, created_at, updated_at
    )
    VALUES (${server}, 's', '', '127.0.0.1', 22, 'root', false, 'caddy', 1, 1, 1, 1, now(), now())`
  yield* sql`
    INSERT INTO destination (uuid, server_uuid, name, network, network_key, created_at, updated_at)
    VALUES (${destination}, ${server}, 'd', 'n', 'n', now(), now())`
  return {
    projectUuid: project,
    environmentUuid: environment,
    environmentName: "production",
    serverUuid: server,
    destinationUuid: destination
  }
})

onEachEngine(({ database }) => {
  it.effect("an instance of an earlier version goes on serving what it served, where it did", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const placement = yield* plantEarlier
      const [server, destination] = [{ uuid: placement.serverUuid }, { uuid: placement.destinationUuid }]
      const { uuid } = yield* (yield* ApplicationStore).insert(newApplication(1, placement))
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
      const [row] = yield* sql<{ readonly name: string }>`SELECT current_schema()::text AS name`
      yield* migrate(row?.name ?? "", migrations)
      const projects = yield* (yield* ProjectStore).list({ limit: 9 })
      expect(projects.map(({ name }) => name)).toEqual(["project 1", "PROJECT 1 double"])
      const releases = yield* ReleaseStore
      expect(yield* releases.servingOn(server.uuid)).toEqual([
        {
          applicationUuid: uuid,
          releaseUuid: release,
          deploymentUuid: deployment,
          serverUuid: server.uuid,
          destinationUuid: destination.uuid
        }
      ])
      expect(yield* releases.find(release as never)).toMatchObject({ compose: null, commitMessage: null })
      expect(yield* (yield* DeploymentStore).find(deployment as never)).toMatchObject({
        trigger: "api",
        commitMessage: null
      })
    }).pipe(Effect.provide(Layer.provideMerge(layerStores, database)))
  )
}, earlier)
