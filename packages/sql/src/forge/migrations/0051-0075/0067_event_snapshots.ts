import type { Migration } from "../../../Migrations.ts"

/** Stores the resources of an event as its transaction left them, from which webhook payloads are rendered. */
export const eventSnapshots: Migration = {
  name: "0067_event_snapshots",
  up: [`ALTER TABLE hook_news ADD COLUMN "after" jsonb NOT NULL DEFAULT '{}'`]
}
