import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table of S3 storages, and adds the uploads and limits of backups. */
export const s3Storages: Migration = {
  name: "0049_s3_storages",
  up: [
    `CREATE TABLE s3_storage (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL,
      description text NOT NULL,
      endpoint text NOT NULL,
      region text NOT NULL,
      bucket text NOT NULL,
      access_key text NOT NULL,
      secret_key text NOT NULL,
      is_usable boolean NOT NULL,
      recipient text,
      identity text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    ...countRowsOf("s3_storage"),
    `ALTER TABLE backup
      ADD COLUMN keeps_days integer NOT NULL DEFAULT 0,
      ADD COLUMN keeps_gigabytes double precision NOT NULL DEFAULT 0,
      ADD COLUMN s3_storage_uuid text COLLATE "C" REFERENCES s3_storage (uuid) ON DELETE RESTRICT,
      ADD COLUMN saves_to_s3 boolean NOT NULL DEFAULT false,
      ADD COLUMN is_only_in_s3 boolean NOT NULL DEFAULT false,
      ADD COLUMN s3_keeps integer NOT NULL DEFAULT 7,
      ADD COLUMN s3_keeps_days integer NOT NULL DEFAULT 0,
      ADD COLUMN s3_keeps_gigabytes double precision NOT NULL DEFAULT 0,
      ADD COLUMN databases jsonb NOT NULL DEFAULT '[]',
      ADD COLUMN dumps_all boolean NOT NULL DEFAULT false`,
    "CREATE INDEX backup_s3_storage ON backup (s3_storage_uuid) WHERE s3_storage_uuid IS NOT NULL",
    `ALTER TABLE backup_run
      ADD COLUMN dumps_all boolean NOT NULL DEFAULT false,
      ADD COLUMN is_local boolean,
      ADD COLUMN object jsonb`,
    // Earlier backups have their file on the server.
    "UPDATE backup_run SET is_local = true WHERE status = 'success'"
  ]
}
