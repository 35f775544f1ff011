import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of restores of storages. */
export const volumeRestores: Migration = {
  name: "0075_volume_restores",
  up: [
    `CREATE TABLE volume_restore (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      storage_uuid text COLLATE "C" NOT NULL REFERENCES storage (uuid) ON DELETE CASCADE,
      source jsonb NOT NULL,
      timeout integer NOT NULL,
      image text,
      due_at timestamptz,
      is_asked boolean NOT NULL,
      claimed_by text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    "CREATE INDEX volume_restore_storage ON volume_restore (storage_uuid, id)",
    "CREATE INDEX volume_restore_due ON volume_restore (due_at) WHERE lease_until IS NULL",
    "CREATE INDEX volume_restore_asked ON volume_restore (id) WHERE is_asked",
    "CREATE INDEX volume_restore_leased ON volume_restore (lease_until) WHERE lease_until IS NOT NULL",
    `CREATE TABLE volume_restore_run (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      restore_uuid text COLLATE "C" NOT NULL REFERENCES volume_restore (uuid) ON DELETE CASCADE,
      status text NOT NULL,
      message text,
      started_at timestamptz NOT NULL,
      finished_at timestamptz
    )`,
    "CREATE INDEX volume_restore_run_restore ON volume_restore_run (restore_uuid, id DESC)",
    "CREATE INDEX volume_restore_run_running ON volume_restore_run (restore_uuid) WHERE status = 'running'"
  ]
}
