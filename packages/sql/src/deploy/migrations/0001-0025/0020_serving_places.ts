import type { Migration } from "../../../Migrations.ts"

/**
 * Adds the server on which each application currently runs. After the application is moved, the next deployment uses
 * another server.
 */
export const servingPlaces: Migration = {
  name: "0020_serving_places",
  up: [
    `ALTER TABLE serving
      ADD COLUMN server_uuid text COLLATE "C",
      ADD COLUMN destination_uuid text COLLATE "C"`,
    `UPDATE serving SET (server_uuid, destination_uuid) = (
      SELECT coalesce(deployment.server_uuid, application.server_uuid),
        coalesce(deployment.destination_uuid, application.destination_uuid)
      FROM application LEFT JOIN deployment ON deployment.uuid = serving.deployment_uuid
      WHERE application.uuid = serving.application_uuid)`,
    `ALTER TABLE serving ALTER COLUMN server_uuid SET NOT NULL, ALTER COLUMN destination_uuid SET NOT NULL`,
    `CREATE INDEX serving_server ON serving (server_uuid)`,
    `CREATE INDEX deployment_nothing ON deployment (server_uuid, finished_at)
      WHERE status IN ('failed', 'cancelled') AND started_at IS NOT NULL`,
    `CREATE INDEX deletion_application ON deletion (application_uuid, id)`
  ]
}
