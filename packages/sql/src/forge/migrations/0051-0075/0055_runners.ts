import {
  actionSecrets,
  actionVariables,
  runnerRegistrations,
  runners as runnerRows
} from "@slipway/domain/forge/automation"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

const { makerId: _, ...fields } = runnerRegistrations.fields

/** Creates the tables of runners, registration tokens, secrets and variables. */
export const runners: Migration = {
  name: "0055_runners",
  up: [actionSecrets, actionVariables, runnerRows, { ...runnerRegistrations, fields }].flatMap(createTable)
}
