import type { Migration } from "../../../Migrations.ts"

/** Adds the cleanup schedule to servers, and creates the table of executed cleanups. */
export const cleanups: Migration = {
  name: "0030_cleanups",
  up: [
    `ALTER TABLE server ADD COLUMN cleanup_frequency text NOT NULL DEFAULT 'hourly'`,
    `CREATE TABLE cleanup (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      server_uuid text COLLATE "C" NOT NULL REFERENCES server (uuid) ON DELETE CASCADE,
      status text NOT NULL,
      message text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      finished_at timestamptz
    )`,
    "CREATE INDEX cleanup_server ON cleanup (server_uuid, id DESC)"
  ]
}
