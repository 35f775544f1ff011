import { requestCountTable } from "../../../database/requestCounts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table that counts requests for rate limits, across all processes. */
export const requestCounts: Migration = { name: "0046_request_counts", up: [requestCountTable] }
