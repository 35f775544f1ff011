import { commentReactions, issueReactions, stopwatches, trackedTimes } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of reactions, tracked times and stopwatches. */
export const reactionsAndTimes: Migration = {
  name: "0017_reactions_and_times",
  up: [issueReactions, commentReactions, trackedTimes, stopwatches].flatMap(createTable)
}
