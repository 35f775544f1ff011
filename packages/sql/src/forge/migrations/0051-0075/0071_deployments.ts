import { deploymentStatuses } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of environments, deployments and their statuses. Migration 0072 adds columns. */
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
    `CREATE TABLE "deployment" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "commit" text COLLATE "C" NOT NULL,
      "ref" text COLLATE "C" NOT NULL,
      "task" text COLLATE "C" NOT NULL,
      "environment" text NOT NULL,
      "environment_key" text COLLATE "C" NOT NULL,
      "description" text NOT NULL,
      "is_transient" boolean NOT NULL,
      "is_production" boolean NOT NULL,
      "creator_id" bigint REFERENCES "account" (id) ON DELETE SET NULL,
      "created_at" timestamptz NOT NULL,
      "updated_at" timestamptz NOT NULL
    )`,
    `CREATE INDEX ON "deployment" ("repository_id", id)`,
    `CREATE INDEX ON "deployment" ("repository_id", "commit", id)`,
    `CREATE INDEX ON "deployment" ("repository_id", "ref", id)`,
    `CREATE INDEX ON "deployment" ("repository_id", "task", id)`,
    `CREATE INDEX ON "deployment" ("repository_id", "environment_key", id)`,
    `CREATE INDEX ON "deployment" ("creator_id")`,
    ...createTable(deploymentStatuses)
  ]
}
