import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table of services. */
export const services: Migration = {
  name: "0007_services",
  up: [
    `CREATE TABLE service (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL,
      description text NOT NULL,
      environment_uuid text COLLATE "C" NOT NULL REFERENCES environment (uuid) ON DELETE RESTRICT,
      server_uuid text COLLATE "C" NOT NULL REFERENCES server (uuid) ON DELETE RESTRICT,
      destination_uuid text COLLATE "C" NOT NULL REFERENCES destination (uuid) ON DELETE RESTRICT,
      docker_compose_raw text NOT NULL,
      urls jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE INDEX service_environment ON service (environment_uuid)`,
    `CREATE INDEX service_server ON service (server_uuid)`,
    `CREATE INDEX service_destination ON service (destination_uuid)`,
    ...countRowsOf("service")
  ]
}
