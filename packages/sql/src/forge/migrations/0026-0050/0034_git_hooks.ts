import { gitHooks as kind } from "@slipway/domain/forge/code"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the table of git hooks. */
export const gitHooks: Migration = { name: "0034_git_hooks", up: createTable(kind) }
