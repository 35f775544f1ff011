import { environmentPatterns } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Adds the branch policy `selected` to environments, with the table of its patterns for branches and tags. */
export const environmentPatternsTable: Migration = {
  name: "0075_environment_patterns",
  up: [
    `ALTER TABLE environment DROP CONSTRAINT environment_branches_check`,
    `ALTER TABLE environment ADD CONSTRAINT environment_branches_check CHECK (branches IN ('all', 'protected', 'selected'))`,
    ...createTable(environmentPatterns)
  ]
}
