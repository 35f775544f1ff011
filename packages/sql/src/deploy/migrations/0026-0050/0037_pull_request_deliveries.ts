import type { Migration } from "../../../Migrations.ts"

/** Adds to webhook deliveries the pull request and its time, from the payload. */
export const pullRequestDeliveries: Migration = {
  name: "0037_pull_request_deliveries",
  up: [
    `ALTER TABLE delivery ADD COLUMN pull_request_id bigint, ADD COLUMN pull_request_at timestamptz`,
    `CREATE INDEX delivery_pull_request ON delivery (application_uuid, pull_request_id, pull_request_at)
      WHERE pull_request_id IS NOT NULL`
  ]
}
