import { identities as declaration } from "@slipway/domain/forge/identity"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Keeps who users are to other services that sign people in. */
export const identities: Migration = { name: "0033_identities", up: [...createTable(declaration)] }
