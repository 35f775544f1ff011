import { mergePlans, pulls as pullKind, reviewComments, reviews } from "@slipway/domain/forge"
import type { Migration } from "../../Migrations.ts"
import { createTable } from "../../owned/createTable.ts"

// As it was then: the record of a push and the index by heads came with forks.
const { pushId: _, ...fields } = mergePlans.fields
const plans = { ...mergePlans, fields, filters: [] }

/** Makes the tables of pull requests, their reviews, and the merges that are to happen. */
export const pulls: Migration = {
  name: "0011_pulls",
  up: [pullKind, reviews, reviewComments, plans].flatMap(createTable)
}
