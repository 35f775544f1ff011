import { oauth2Applications } from "@slipway/domain/forge/identity"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

// The other unique constraints follow in 0028 and 0078, the successor of the secret in 0078.
const { successorHash: _, ...fields } = oauth2Applications.fields
const first = { ...oauth2Applications, fields, unique: { clientId: ["clientId"] } }

/** Creates the table of OAuth2 applications. */
export const oauth2: Migration = { name: "0015_oauth2", up: createTable(first) }
