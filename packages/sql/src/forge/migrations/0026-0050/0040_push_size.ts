import type { Migration } from "../../../Migrations.ts"

/**
 * Adds the size to pushes. It counts toward the size of the repository until the push is settled, which means that the
 * changes applied by git are known.
 */
export const pushSize: Migration = {
  name: "0040_push_size",
  up: [
    `ALTER TABLE push ADD COLUMN size bigint NOT NULL DEFAULT 0`,
    `CREATE INDEX push_open ON push (repository_id) INCLUDE (size) WHERE NOT settled`
  ]
}
