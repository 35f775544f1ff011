import type { Migration } from "../../../Migrations.ts"

/** Indexes failed deployments, which the dashboard of the console lists. */
export const failedDeployments: Migration = {
  name: "0079_failed_deployments",
  up: ["CREATE INDEX deployment_failed ON deployment (id) WHERE status = 'failed'"]
}
