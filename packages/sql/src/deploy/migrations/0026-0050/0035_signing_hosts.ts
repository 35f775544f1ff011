import type { Migration } from "../../../Migrations.ts"

/**
 * Adds to private keys the only host for which they may sign. A key of several apps gets the host of the oldest app.
 */
export const signingHosts: Migration = {
  name: "0035_signing_hosts",
  up: [
    `ALTER TABLE private_key ADD COLUMN signs_for text`,
    `UPDATE private_key SET signs_for = app.api_url FROM (
      SELECT DISTINCT ON (private_key_uuid) private_key_uuid, api_url FROM forge_app ORDER BY private_key_uuid, id
    ) app WHERE app.private_key_uuid = private_key.uuid`
  ]
}
