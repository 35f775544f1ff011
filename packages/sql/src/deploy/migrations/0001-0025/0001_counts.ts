import { makeCounts } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Makes the counts of rows. */
export const counts: Migration = { name: "0001_counts", up: makeCounts }
