import { comments, issues as issueKind } from "@slipway/domain/forge"
import type { Migration } from "../../Migrations.ts"
import { createTable } from "../../owned/createTable.ts"

/** Makes the tables of issues and of what is said below them. */
export const issues: Migration = {
  name: "0006_issues",
  up: [...createTable(issueKind), ...createTable(comments)]
}
