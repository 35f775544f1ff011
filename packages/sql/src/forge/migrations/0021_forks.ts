import { forks as forkRows, transfers } from "@slipway/domain/forge"
import type { Migration } from "../../Migrations.ts"
import { createTable } from "../../owned/createTable.ts"

/** Makes the tables of forks, and of repositories that are offered to others. */
export const forks: Migration = {
  name: "0021_forks",
  up: [
    ...createTable(forkRows),
    ...createTable(transfers),
    // A merge leaves the record of a push, and is looked for by the commit that was checked.
    `ALTER TABLE merge_plan ADD push_id bigint`,
    `ALTER TABLE merge_plan ALTER head_sha TYPE text COLLATE "C"`,
    `CREATE INDEX ON merge_plan (repository_id, head_sha, id)`
  ]
}
