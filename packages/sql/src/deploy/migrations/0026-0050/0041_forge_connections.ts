import type { Migration } from "../../../Migrations.ts"

/**
 * Adds to app installations the connection to a forge (code hosting service). Adds to deletions the link to the forge
 * and repository, for the cleanup at the forge.
 */
export const forgeConnections: Migration = {
  name: "0041_forge_connections",
  up: [
    `ALTER TABLE forge_app ADD COLUMN connection jsonb`,
    `CREATE INDEX forge_app_connection ON forge_app (id) WHERE connection IS NOT NULL`,
    `ALTER TABLE forge_app ALTER COLUMN client_secret DROP NOT NULL`,
    `ALTER TABLE forge_app ALTER COLUMN private_key_uuid DROP NOT NULL`,
    `ALTER TABLE deletion ADD COLUMN forge_link jsonb`
  ]
}
