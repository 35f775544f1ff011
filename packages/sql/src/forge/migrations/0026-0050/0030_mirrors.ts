import { mirrors as declared } from "@slipway/domain/forge/integrations"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the table of mirrors. */
export const mirrors: Migration = { name: "0030_mirrors", up: [...createTable(declared)] }
