import { oauth2Applications } from "@slipway/domain/forge/identity"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

// The other unique constraints follow in 0021.
const first = { ...oauth2Applications, unique: { clientId: ["clientId"] } }

/** Creates the table of OAuth2 applications. */
export const oauth2: Migration = { name: "0015_oauth2", up: createTable(first) }
