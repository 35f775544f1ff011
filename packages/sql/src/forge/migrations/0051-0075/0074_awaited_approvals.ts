import type { Migration } from "../../../Migrations.ts"

/** Adds to accounts whether they wait for the approval of an administrator. */
export const awaitedApprovals: Migration = {
  name: "0074_awaited_approvals",
  up: [`ALTER TABLE account ADD awaits_approval boolean NOT NULL DEFAULT false`]
}
