import type { Migration } from "../../../Migrations.ts"

/** Binds private keys to the host that they sign for; a key of several apps is bound to the host of the oldest one. */
export const signingHosts: Migration = {
  name: "0035_signing_hosts",
  up: [
    `ALTER TABLE private_key ADD COLUMN signs_for text`,
    `UPDATE private_key SET signs_for = app.api_url FROM (
      SELECT DISTINCT ON (private_key_uuid) private_key_uuid, api_url FROM forge_app ORDER BY private_key_uuid, id
    ) app WHERE app.private_key_uuid = private_key.uuid`
  ]
}
