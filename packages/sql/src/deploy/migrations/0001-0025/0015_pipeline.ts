import type { Migration } from "../../../Migrations.ts"

/**
 * Adds the phase and the lease to deployments and deletions, and creates the other tables of the deployment pipeline.
 */
export const pipeline: Migration = {
  name: "0015_pipeline",
  up: [
    `ALTER TABLE deployment
      ADD COLUMN action text NOT NULL DEFAULT 'deploy',
      ADD COLUMN release_uuid text COLLATE "C",
      ADD COLUMN force boolean NOT NULL DEFAULT false,
      ADD COLUMN reason text,
      ADD COLUMN image_id text,
      ADD COLUMN cancel_requested boolean NOT NULL DEFAULT false,
      ADD COLUMN started_at timestamptz,
      ADD COLUMN finished_at timestamptz,
      ADD COLUMN claimed_by text,
      ADD COLUMN lease_until timestamptz`,
    `CREATE INDEX deployment_open ON deployment (id) WHERE status NOT IN ('finished', 'failed', 'cancelled')`,
    `ALTER TABLE deletion
      ADD COLUMN reason text,
      ADD COLUMN attempts bigint NOT NULL DEFAULT 0,
      ADD COLUMN claimed_by text,
      ADD COLUMN lease_until timestamptz`,
    `CREATE INDEX deletion_open ON deletion (id) WHERE status <> 'finished'`,
    `CREATE TABLE release (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      application_uuid text COLLATE "C" NOT NULL REFERENCES application (uuid) ON DELETE CASCADE,
      deployment_uuid text COLLATE "C" NOT NULL UNIQUE,
      commit_sha text NOT NULL,
      image_id text NOT NULL,
      image_port bigint,
      configuration jsonb NOT NULL,
      generated_domain text,
      secrets jsonb NOT NULL,
      variables jsonb NOT NULL,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX release_application ON release (application_uuid, id)`,
    `CREATE TABLE serving (
      application_uuid text COLLATE "C" PRIMARY KEY REFERENCES application (uuid) ON DELETE CASCADE,
      release_uuid text COLLATE "C" NOT NULL,
      deployment_uuid text COLLATE "C" NOT NULL
    )`,
    `CREATE TABLE variable (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      application_uuid text COLLATE "C" NOT NULL REFERENCES application (uuid) ON DELETE CASCADE,
      key text COLLATE "C" NOT NULL,
      value text NOT NULL,
      is_literal boolean NOT NULL,
      is_multiline boolean NOT NULL,
      is_shown_once boolean NOT NULL,
      is_preview boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      UNIQUE (application_uuid, key, is_preview)
    )`,
    `CREATE TABLE deployment_line (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      deployment_uuid text COLLATE "C" NOT NULL,
      at timestamptz NOT NULL,
      stream text NOT NULL,
      line text NOT NULL
    )`,
    `CREATE INDEX deployment_line_deployment ON deployment_line (deployment_uuid, id)`
  ]
}
