import type { Migration } from "../../../Migrations.ts"

/** Adds to deployments the account that requested them, and the time until which they wait for an approval. */
export const approvals: Migration = {
  name: "0057_approvals",
  up: [
    `ALTER TABLE deployment ADD COLUMN requested_by text COLLATE "C", ADD COLUMN approval_until timestamptz`,
    `CREATE INDEX deployment_awaiting ON deployment (application_uuid, id) WHERE status = 'queued' AND approval_until IS NOT NULL`
  ]
}
