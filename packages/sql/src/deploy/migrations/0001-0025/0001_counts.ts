import { makeCounts } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the tables and functions that count rows. */
export const counts: Migration = { name: "0001_counts", up: makeCounts }
