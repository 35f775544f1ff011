import type { Migration } from "../../../Migrations.ts"

/** Adds the connection settings of engines to servers, and creates the table of their SSH host keys. */
export const engines: Migration = {
  name: "0014_engines",
  up: [
    `ALTER TABLE server
      ADD COLUMN engine_transport text NOT NULL DEFAULT 'ssh',
      ADD COLUMN engine_socket text,
      ADD COLUMN engine_port bigint NOT NULL DEFAULT 2376,
      ADD COLUMN engine_authority text,
      ADD COLUMN engine_certificate text,
      ADD COLUMN engine_key text`,
    `CREATE TABLE server_host_key (
      server_uuid text COLLATE "C" NOT NULL REFERENCES server (uuid) ON DELETE CASCADE,
      address text COLLATE "C" NOT NULL,
      fingerprint text NOT NULL,
      PRIMARY KEY (server_uuid, address)
    )`
  ]
}
