import { forks as forkRows, transfers } from "@slipway/domain/forge"
import type { Migration } from "../../Migrations.ts"
import { createTable } from "../../owned/createTable.ts"

/** Makes the tables of forks, and of repositories that are offered to others. */
export const forks: Migration = { name: "0029_forks", up: [...createTable(forkRows), ...createTable(transfers)] }
