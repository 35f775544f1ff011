import {
  npmManifests,
  npmTags,
  packageFiles,
  packageLinks,
  packages as packageRows,
  packageVersions
} from "@slipway/domain/forge/registries"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/**
 * Creates the tables of packages, with search by a substring of the name. Allows events without a repository, for
 * packages.
 */
export const packages: Migration = {
  name: "0054_packages",
  up: [
    ...createTable(packageRows),
    ...createTable(packageVersions),
    ...createTable(packageFiles),
    ...createTable(packageLinks),
    ...createTable(npmManifests),
    ...createTable(npmTags),
    `ALTER TABLE package_version
      ADD grams text[] COLLATE "C" GENERATED ALWAYS AS (grams(name_key)) STORED,
      ALTER owner_id SET (n_distinct = 100)`,
    `CREATE INDEX package_version_grams ON package_version USING gin (grams) WITH (gin_pending_list_limit = 64)`,
    `CREATE INDEX package_version_owner ON package_version (owner_id, id)`,
    `CREATE INDEX package_version_type ON package_version (owner_id, type, id)`,
    `ALTER TABLE hook_news ALTER repository DROP NOT NULL`
  ]
}
