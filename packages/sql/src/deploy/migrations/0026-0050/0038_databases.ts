import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table of databases. */
export const databases: Migration = {
  name: "0038_databases",
  up: [
    `CREATE TABLE database (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      kind text NOT NULL,
      name text NOT NULL,
      description text NOT NULL,
      image text NOT NULL,
      environment_uuid text COLLATE "C" NOT NULL REFERENCES environment (uuid) ON DELETE RESTRICT,
      server_uuid text COLLATE "C" NOT NULL REFERENCES server (uuid) ON DELETE RESTRICT,
      destination_uuid text COLLATE "C" NOT NULL REFERENCES destination (uuid) ON DELETE RESTRICT,
      settings jsonb NOT NULL,
      secrets jsonb NOT NULL,
      limits jsonb NOT NULL,
      is_public boolean NOT NULL,
      public_port bigint,
      action text,
      state text NOT NULL,
      reason text,
      run_uuid text COLLATE "C",
      serving_uuid text COLLATE "C",
      claimed_by text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE INDEX database_environment ON database (environment_uuid)`,
    `CREATE INDEX database_server ON database (server_uuid)`,
    `CREATE INDEX database_destination ON database (destination_uuid)`,
    `CREATE INDEX database_open ON database (id) WHERE state IN ('queued', 'working')`,
    `CREATE INDEX database_lease ON database (id) WHERE lease_until IS NOT NULL`,
    ...countRowsOf("database")
  ]
}
