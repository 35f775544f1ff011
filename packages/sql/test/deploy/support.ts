import { Applications } from "@slipway/deploy/apps"
import type { Placement } from "@slipway/domain/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The request body that creates an application in a placement. */
export const bodyAt = (placement: Placement, fields: Readonly<Record<string, unknown>> = {}) => ({
  project_uuid: placement.projectUuid,
  environment_uuid: placement.environmentUuid,
  server_uuid: placement.serverUuid,
  destination_uuid: placement.destinationUuid,
  git_repository: "https://forge.example/owner/repository",
  git_branch: "main",
  build_pack: "packer_a",
  ports_exposes: "3000",
  ...fields
})

/** Creates an application in a placement, like the API. */
export const create = (placement: Placement, fields: Readonly<Record<string, unknown>> = {}) =>
  Applications.create(system("application.create"), "public", bodyAt(placement, fields))

/** Copies the existing application with a separate domain per copy, until there are `total`; fast. */
export const multiply = Effect.fnUntraced(function* (total: number) {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO application (
      uuid, variant, environment_uuid, server_uuid, destination_uuid, private_key_uuid, forge_app_uuid,
      configuration, secrets, generated_domain, created_at, updated_at
    )
    SELECT
      'copy' || lpad(number::text, 20, '0'), variant, environment_uuid, server_uuid, destination_uuid,
      private_key_uuid, forge_app_uuid, configuration, secrets, NULL, created_at, updated_at
    FROM application, generate_series(1, ${total - 1}) AS number`
  yield* sql`
    INSERT INTO domain_claim (domain_key, application_uuid)
    SELECT uuid || '.example', uuid FROM application WHERE uuid LIKE 'copy%'`
  yield* sql`ANALYZE`
})
