import type { Migration } from "../../../Migrations.ts"

/** Adds the successor of the secret of an OAuth2 application. */
export const clientSecretRotation: Migration = {
  name: "0078_client_secret_rotation",
  up: [
    `ALTER TABLE oauth2_application
      ADD successor_hash text COLLATE "C",
      ADD CONSTRAINT oauth2_application_successor_once UNIQUE (successor_hash)`
  ]
}
