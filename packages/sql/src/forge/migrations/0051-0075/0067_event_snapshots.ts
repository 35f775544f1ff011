import type { Migration } from "../../../Migrations.ts"

/** Adds to events a snapshot of their resources at the end of the transaction. Webhook payloads are made from it. */
export const eventSnapshots: Migration = {
  name: "0067_event_snapshots",
  up: [`ALTER TABLE hook_news ADD COLUMN "after" jsonb NOT NULL DEFAULT '{}'`]
}
