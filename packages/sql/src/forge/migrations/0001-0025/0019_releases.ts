import { releases as declared } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the table of releases. */
export const releases: Migration = { name: "0019_releases", up: createTable({ ...declared, counters: {} }) }
