import type { Migration } from "../../../Migrations.ts"

/**
 * Creates the table of job tokens, which are deleted with their repository. Adds the account on behalf of which jobs
 * act.
 */
export const jobTokens: Migration = {
  name: "0057_job_tokens",
  up: [
    `ALTER TABLE account ADD system boolean NOT NULL DEFAULT false`,
    `CREATE UNIQUE INDEX account_system ON account (system) WHERE system`,
    `ALTER TABLE access_token
      DROP CONSTRAINT access_token_kind_check,
      ADD CHECK (kind IN ('personal', 'oauth2', 'session', 'job')),
      ADD job_id bigint,
      ADD repository_id bigint REFERENCES repository (id) ON DELETE CASCADE,
      ADD job_level bigint`,
    `CREATE INDEX ON access_token (repository_id)`
  ]
}
