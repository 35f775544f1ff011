import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table of deployments. */
export const deployments: Migration = {
  name: "0010_deployments",
  up: [
    // A row outlives the resources that it names, so it has no foreign keys.
    `CREATE TABLE deployment (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      application_uuid text COLLATE "C" NOT NULL,
      application_name text NOT NULL,
      server_uuid text COLLATE "C" NOT NULL,
      server_name text NOT NULL,
      destination_uuid text COLLATE "C" NOT NULL,
      commit_sha text NOT NULL,
      status text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE INDEX deployment_application ON deployment (application_uuid, id)`,
    `CREATE INDEX deployment_queued ON deployment (application_uuid) WHERE status = 'queued'`,
    ...countRowsOf("deployment")
  ]
}
