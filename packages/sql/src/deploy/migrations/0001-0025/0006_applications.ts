import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table of applications. */
export const applications: Migration = {
  name: "0006_applications",
  up: [
    `CREATE TABLE application (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      variant text NOT NULL,
      environment_uuid text COLLATE "C" NOT NULL REFERENCES environment (uuid) ON DELETE RESTRICT,
      server_uuid text COLLATE "C" NOT NULL REFERENCES server (uuid) ON DELETE RESTRICT,
      destination_uuid text COLLATE "C" NOT NULL REFERENCES destination (uuid) ON DELETE RESTRICT,
      private_key_uuid text COLLATE "C" REFERENCES private_key (uuid) ON DELETE RESTRICT,
      forge_app_uuid text COLLATE "C" REFERENCES forge_app (uuid) ON DELETE RESTRICT,
      configuration jsonb NOT NULL,
      secrets jsonb NOT NULL,
      generated_domain text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE INDEX application_environment ON application (environment_uuid)`,
    `CREATE INDEX application_server ON application (server_uuid)`,
    `CREATE INDEX application_destination ON application (destination_uuid)`,
    `CREATE INDEX application_private_key ON application (private_key_uuid) WHERE private_key_uuid IS NOT NULL`,
    `CREATE INDEX application_forge_app ON application (forge_app_uuid) WHERE forge_app_uuid IS NOT NULL`,
    ...countRowsOf("application")
  ]
}
