import { artifactBlocks, artifacts as artifactRows } from "@slipway/domain/forge/automation"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

const { type: _, ...fields } = artifactRows.fields

/** Creates the tables of artifacts and their parts, with an index for abandoned uploads. */
export const artifacts: Migration = {
  name: "0058_artifacts",
  up: [
    ...createTable({ ...artifactRows, fields }),
    ...createTable(artifactBlocks),
    `ALTER TABLE artifact ALTER repository_id SET (n_distinct = 100)`,
    `CREATE INDEX artifact_begun ON artifact (created_at) WHERE NOT done`
  ]
}
