import { deploymentReviews } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/**
 * Adds protection rules to environments, and the tokens and reviews of deployments. Existing environments have no
 * protection.
 */
export const environmentProtection: Migration = {
  name: "0072_environment_protection",
  up: [
    `ALTER TABLE environment
      ADD reviewers jsonb NOT NULL DEFAULT '{"users": [], "teams": []}',
      ADD wait_minutes bigint NOT NULL DEFAULT 0,
      ADD prevent_self_review boolean NOT NULL DEFAULT false,
      ADD branches text COLLATE "C" NOT NULL DEFAULT 'all' CHECK (branches IN ('all', 'protected'))`,
    `ALTER TABLE deployment
      ADD is_by_token boolean NOT NULL DEFAULT false,
      ADD token_id bigint REFERENCES access_token (id) ON DELETE SET NULL`,
    `CREATE INDEX ON deployment (token_id)`,
    ...createTable(deploymentReviews)
  ]
}
