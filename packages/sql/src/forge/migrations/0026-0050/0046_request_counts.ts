import { requestCountTable } from "../../../database/requestCounts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Counts requests for all processes. */
export const requestCounts: Migration = { name: "0046_request_counts", up: [requestCountTable] }
