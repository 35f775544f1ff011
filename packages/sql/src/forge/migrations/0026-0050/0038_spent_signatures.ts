import { spentSignatures as declaration } from "@slipway/domain/forge/identity"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the table of used request signatures, against replays. */
export const spentSignatures: Migration = { name: "0038_spent_signatures", up: [...createTable(declaration)] }
