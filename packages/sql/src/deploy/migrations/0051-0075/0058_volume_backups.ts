import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of backup schedules of storages and of their executions. */
export const volumeBackups: Migration = {
  name: "0058_volume_backups",
  up: [
    `CREATE TABLE volume_backup (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      storage_uuid text COLLATE "C" NOT NULL UNIQUE REFERENCES storage (uuid) ON DELETE CASCADE,
      frequency text NOT NULL,
      is_enabled boolean NOT NULL,
      s3_storage_uuid text COLLATE "C" NOT NULL REFERENCES s3_storage (uuid) ON DELETE RESTRICT,
      s3_keeps integer NOT NULL,
      s3_keeps_days integer NOT NULL,
      s3_keeps_gigabytes double precision NOT NULL,
      timeout integer NOT NULL,
      due_at timestamptz,
      is_asked boolean NOT NULL,
      claimed_by text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    "CREATE INDEX volume_backup_s3_storage ON volume_backup (s3_storage_uuid)",
    "CREATE INDEX volume_backup_due ON volume_backup (due_at) WHERE lease_until IS NULL",
    "CREATE INDEX volume_backup_asked ON volume_backup (id) WHERE is_asked",
    "CREATE INDEX volume_backup_leased ON volume_backup (lease_until) WHERE lease_until IS NOT NULL",
    `CREATE TABLE volume_backup_run (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      backup_uuid text COLLATE "C" NOT NULL REFERENCES volume_backup (uuid) ON DELETE CASCADE,
      status text NOT NULL,
      message text,
      size bigint,
      object jsonb,
      started_at timestamptz NOT NULL,
      finished_at timestamptz
    )`,
    "CREATE INDEX volume_backup_run_backup ON volume_backup_run (backup_uuid, id DESC)"
  ]
}
