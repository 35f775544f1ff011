import type { Migration } from "../../../Migrations.ts"

/** Adds the log drains of servers, and the position up to which logs were sent. */
export const logDrains: Migration = {
  name: "0064_log_drains",
  up: [
    `ALTER TABLE server ADD COLUMN log_drains jsonb NOT NULL DEFAULT '[]'`,
    `CREATE TABLE log_drain_progress (
      server_uuid text COLLATE "C" NOT NULL REFERENCES server (uuid) ON DELETE CASCADE,
      type text COLLATE "C" NOT NULL,
      since text COLLATE "C" NOT NULL,
      positions jsonb NOT NULL,
      PRIMARY KEY (server_uuid, type)
    )`,
    `CREATE TABLE log_drain_claim (
      server_uuid text COLLATE "C" PRIMARY KEY REFERENCES server (uuid) ON DELETE CASCADE,
      worker text COLLATE "C" NOT NULL,
      until timestamptz NOT NULL
    )`
  ]
}
