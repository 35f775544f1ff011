import type { Migration } from "../../../Migrations.ts"

/** Adds to databases the manifest that created them; existing databases were created by users. */
export const declaredDatabases: Migration = {
  name: "0045_declared_databases",
  up: [
    `ALTER TABLE database ADD COLUMN declared_by jsonb`,
    `CREATE INDEX database_declared_by ON database ((declared_by -> 'forgeLink')) WHERE declared_by IS NOT NULL`
  ]
}
