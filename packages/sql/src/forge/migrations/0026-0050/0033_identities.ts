import { identities as declaration } from "@slipway/domain/forge/identity"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the table of identities of users at external sign-in providers. */
export const identities: Migration = { name: "0033_identities", up: [...createTable(declaration)] }
