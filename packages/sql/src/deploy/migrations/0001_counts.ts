import { makeCounts } from "../../collection/counts.ts"
import type { Migration } from "../../Migrations.ts"

export const counts: Migration = { name: "0001_counts", up: makeCounts }
