import { spentSignatures as declaration } from "@slipway/domain/forge/identity"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Keeps which signatures of requests were used. */
export const spentSignatures: Migration = { name: "0038_spent_signatures", up: [...createTable(declaration)] }
