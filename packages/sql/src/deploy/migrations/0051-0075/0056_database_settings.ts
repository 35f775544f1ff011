import type { Migration } from "../../../Migrations.ts"

const ownedBy = (table: "storage" | "variable"): ReadonlyArray<string> => [
  `ALTER TABLE ${table}
    ALTER COLUMN application_uuid DROP NOT NULL,
    ADD COLUMN database_uuid text COLLATE "C" REFERENCES database (uuid) ON DELETE CASCADE,
    ADD CONSTRAINT ${table}_owner CHECK (num_nonnulls(application_uuid, database_uuid) = 1)`
]

/** Allows variables, storages and tags to belong to a database. */
export const databaseSettings: Migration = {
  name: "0056_database_settings",
  up: [
    ...ownedBy("variable"),
    ...ownedBy("storage"),
    `CREATE UNIQUE INDEX variable_of_database ON variable (database_uuid, key, is_preview)`,
    `CREATE UNIQUE INDEX storage_of_database ON storage (database_uuid, coalesce(service, ''), mount_path)`,
    `CREATE TABLE database_tag (
      tag_id bigint NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
      database_id bigint NOT NULL REFERENCES database (id) ON DELETE CASCADE,
      PRIMARY KEY (tag_id, database_id)
    )`,
    `CREATE INDEX database_tag_database ON database_tag (database_id)`
  ]
}
