import { deployments as deploymentRows, deploymentStatuses } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of environments, deployments and their statuses. Migration 0072 adds columns to environments. */
export const deployments: Migration = {
  name: "0071_deployments",
  up: [
    `CREATE TABLE "environment" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "name" text NOT NULL,
      "name_key" text COLLATE "C" NOT NULL,
      "created_at" timestamptz NOT NULL,
      "updated_at" timestamptz NOT NULL,
      CONSTRAINT environment_name_once UNIQUE ("repository_id", "name_key")
    )`,
    `CREATE INDEX ON "environment" ("repository_id", id)`,
    ...createTable(deploymentRows),
    ...createTable(deploymentStatuses)
  ]
}
