import { mergePlans, pulls as pullKind, reviewComments, reviews } from "@slipway/domain/forge"
import type { Migration } from "../../Migrations.ts"
import { createTable } from "../../owned/createTable.ts"

/** Makes the tables of pull requests, their reviews, and the merges that are to happen. */
export const pulls: Migration = {
  name: "0011_pulls",
  up: [pullKind, reviews, reviewComments, mergePlans].flatMap(createTable)
}
