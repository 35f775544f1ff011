import { mergePlans, pulls as pullKind, reviewComments, reviews } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

// As they were then: the record of a push and the index by heads came with forks, who lends a head later still.
const { pushId: _push, ...fieldsOfPlans } = mergePlans.fields
const plans = { ...mergePlans, fields: fieldsOfPlans, filters: [] }
const { lenderId: _lender, pushedBy: _pushed, ...fieldsOfPulls } = pullKind.fields
const firstPulls = { ...pullKind, fields: fieldsOfPulls }

/** Makes the tables of pull requests, their reviews, and the merges that are to happen. */
export const pulls: Migration = {
  name: "0011_pulls",
  up: [firstPulls, reviews, reviewComments, plans].flatMap(createTable)
}
