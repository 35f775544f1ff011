import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table of deletions. */
export const deletions: Migration = {
  name: "0011_deletions",
  up: [
    // A row outlives the resources that it names, so it has no foreign keys.
    `CREATE TABLE deletion (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      application_uuid text COLLATE "C" NOT NULL,
      application_name text NOT NULL,
      server_uuid text COLLATE "C" NOT NULL,
      destination_uuid text COLLATE "C" NOT NULL,
      delete_configurations boolean NOT NULL,
      delete_volumes boolean NOT NULL,
      docker_cleanup boolean NOT NULL,
      delete_connected_networks boolean NOT NULL,
      status text COLLATE "C" NOT NULL,
      removed jsonb NOT NULL,
      left_behind jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    ...countRowsOf("deletion")
  ]
}
