import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of restores of backups. Adds to backups their database image and the selection of databases. */
export const restores: Migration = {
  name: "0052_restores",
  up: [
    `ALTER TABLE backup_run
      ADD COLUMN databases jsonb NOT NULL DEFAULT '[]',
      ADD COLUMN image text`,
    // Earlier backups did not record it: the schedule is the best source.
    `UPDATE backup_run SET databases = backup.databases
      FROM backup WHERE backup.uuid = backup_run.backup_uuid AND NOT backup_run.dumps_all`,
    `CREATE TABLE restore (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      database_uuid text COLLATE "C" NOT NULL REFERENCES database (uuid) ON DELETE CASCADE,
      source jsonb NOT NULL,
      timeout integer NOT NULL,
      due_at timestamptz,
      is_asked boolean NOT NULL,
      claimed_by text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    "CREATE INDEX restore_database ON restore (database_uuid, id)",
    "CREATE INDEX restore_due ON restore (due_at) WHERE lease_until IS NULL",
    "CREATE INDEX restore_asked ON restore (id) WHERE is_asked",
    "CREATE INDEX restore_leased ON restore (lease_until) WHERE lease_until IS NOT NULL",
    `CREATE TABLE restore_run (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      restore_uuid text COLLATE "C" NOT NULL REFERENCES restore (uuid) ON DELETE CASCADE,
      status text NOT NULL,
      message text,
      started_at timestamptz NOT NULL,
      finished_at timestamptz
    )`,
    "CREATE INDEX restore_run_restore ON restore_run (restore_uuid, id DESC)"
  ]
}
