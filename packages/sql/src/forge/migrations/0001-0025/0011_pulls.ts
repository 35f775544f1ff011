import { mergePlans, pulls as pullKind, reviewComments, reviews } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

// The original columns: later migrations add the record of a push, the index by heads, and the lender.
const { pushId: _push, ...fieldsOfPlans } = mergePlans.fields
const plans = { ...mergePlans, fields: fieldsOfPlans, filters: [] }
const { lenderId: _lender, pushedBy: _pushed, ...fieldsOfPulls } = pullKind.fields
const firstPulls = { ...pullKind, fields: fieldsOfPulls }

/** Creates the tables of pull requests, reviews and scheduled merges. */
export const pulls: Migration = {
  name: "0011_pulls",
  up: [firstPulls, reviews, reviewComments, plans].flatMap(createTable)
}
