import { deployments as deploymentRows, deploymentStatuses, environments } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of environments, deployments and their statuses. */
export const deployments: Migration = {
  name: "0071_deployments",
  up: [...createTable(environments), ...createTable(deploymentRows), ...createTable(deploymentStatuses)]
}
