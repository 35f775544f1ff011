import type { Migration } from "../../../Migrations.ts"

/** Creates the table of webhook deliveries. */
export const deliveries: Migration = {
  name: "0017_deliveries",
  up: [
    `CREATE TABLE delivery (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      application_uuid text COLLATE "C" NOT NULL REFERENCES application (uuid) ON DELETE CASCADE,
      provider text COLLATE "C" NOT NULL,
      body_digest text COLLATE "C" NOT NULL,
      event text,
      delivery_id text,
      branch text,
      commit_sha text,
      author text,
      message text,
      outcome text COLLATE "C" NOT NULL,
      reason text COLLATE "C",
      deployment_uuid text COLLATE "C",
      replays bigint NOT NULL,
      replayed_at timestamptz,
      received_at timestamptz NOT NULL,
      UNIQUE (application_uuid, provider, body_digest)
    )`,
    `CREATE INDEX delivery_application ON delivery (application_uuid, id)`
  ]
}
