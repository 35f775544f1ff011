import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of servers and destinations. */
export const servers: Migration = {
  name: "0004_servers",
  up: [
    `CREATE TABLE server (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL,
      description text NOT NULL,
      ip text NOT NULL,
      port bigint NOT NULL,
      login text NOT NULL,
      private_key_uuid text COLLATE "C" REFERENCES private_key (uuid) ON DELETE RESTRICT,
      is_build_server boolean NOT NULL,
      proxy_type text NOT NULL,
      wildcard_domain text,
      concurrent_builds bigint NOT NULL,
      deployment_queue_limit bigint NOT NULL,
      dynamic_timeout bigint NOT NULL,
      connection_timeout bigint NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE INDEX server_private_key ON server (private_key_uuid) WHERE private_key_uuid IS NOT NULL`,
    `CREATE TABLE destination (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      server_uuid text COLLATE "C" NOT NULL REFERENCES server (uuid) ON DELETE CASCADE,
      name text NOT NULL,
      network text NOT NULL,
      network_key text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT destination_network_once UNIQUE (server_uuid, network_key)
    )`,
    ...countRowsOf("server"),
    ...countRowsOf("destination")
  ]
}
