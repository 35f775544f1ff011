import type { Migration } from "../../../Migrations.ts"

/** Creates the table of attachments. */
export const attachments: Migration = {
  name: "0007_attachments",
  up: [
    `CREATE TABLE attachment (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      kind text COLLATE "C" NOT NULL,
      thing_id bigint NOT NULL,
      uploader_id bigint,
      name text NOT NULL,
      size bigint NOT NULL,
      type text NOT NULL,
      download_count bigint NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX attachment_thing ON attachment (repository_id, kind, thing_id, id)`
  ]
}
