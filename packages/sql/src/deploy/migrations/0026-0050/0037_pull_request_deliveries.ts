import type { Migration } from "../../../Migrations.ts"

/** Has deliveries of webhooks tell which pull request they are about, and when that was as they say. */
export const pullRequestDeliveries: Migration = {
  name: "0037_pull_request_deliveries",
  up: [
    `ALTER TABLE delivery ADD COLUMN pull_request_id bigint, ADD COLUMN pull_request_at timestamptz`,
    `CREATE INDEX delivery_pull_request ON delivery (application_uuid, pull_request_id, pull_request_at)
      WHERE pull_request_id IS NOT NULL`
  ]
}
