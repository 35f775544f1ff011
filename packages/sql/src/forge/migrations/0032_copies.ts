import { copyings, origins } from "@slipway/domain/forge"
import type { Migration } from "../../Migrations.ts"
import { createTable } from "../../owned/createTable.ts"

/** Makes the tables of what is copied from other hosts besides git, and where it comes from. */
export const copies: Migration = { name: "0032_copies", up: [...createTable(copyings), ...createTable(origins)] }
