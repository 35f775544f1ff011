import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of backup schedules of databases and of their executions. */
export const backups: Migration = {
  name: "0039_backups",
  up: [
    `CREATE TABLE backup (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      database_uuid text COLLATE "C" NOT NULL REFERENCES database (uuid) ON DELETE CASCADE,
      frequency text NOT NULL,
      is_enabled boolean NOT NULL,
      keeps integer NOT NULL,
      timeout integer NOT NULL,
      due_at timestamptz,
      is_asked boolean NOT NULL DEFAULT false,
      claimed_by text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    "CREATE INDEX backup_database ON backup (database_uuid, id)",
    "CREATE INDEX backup_due ON backup (due_at) WHERE lease_until IS NULL",
    "CREATE INDEX backup_asked ON backup (id) WHERE is_asked",
    "CREATE INDEX backup_leased ON backup (lease_until) WHERE lease_until IS NOT NULL",
    `CREATE TABLE backup_run (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      backup_uuid text COLLATE "C" NOT NULL REFERENCES backup (uuid) ON DELETE CASCADE,
      status text NOT NULL,
      message text,
      size bigint,
      started_at timestamptz NOT NULL,
      finished_at timestamptz
    )`,
    "CREATE INDEX backup_run_backup ON backup_run (backup_uuid, id DESC)"
  ]
}
