import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table of git-hosting app installations. */
export const forgeApps: Migration = {
  name: "0005_forge_apps",
  up: [
    `CREATE TABLE forge_app (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL,
      organization text,
      api_url text NOT NULL,
      html_url text NOT NULL,
      custom_user text NOT NULL,
      custom_port bigint NOT NULL,
      app_id bigint NOT NULL,
      installation_id bigint NOT NULL,
      client_id text NOT NULL,
      client_secret text NOT NULL,
      webhook_secret text,
      private_key_uuid text COLLATE "C" NOT NULL REFERENCES private_key (uuid) ON DELETE RESTRICT,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE INDEX forge_app_private_key ON forge_app (private_key_uuid)`,
    ...countRowsOf("forge_app")
  ]
}
