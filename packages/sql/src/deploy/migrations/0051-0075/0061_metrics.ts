import type { Migration } from "../../../Migrations.ts"

/** Adds the metrics settings of servers, and creates the table of samples. */
export const metrics: Migration = {
  name: "0061_metrics",
  up: [
    `ALTER TABLE server
      ADD COLUMN is_metrics_enabled boolean NOT NULL DEFAULT false,
      ADD COLUMN metrics_interval integer NOT NULL DEFAULT 60,
      ADD COLUMN metrics_days integer NOT NULL DEFAULT 7`,
    `CREATE TABLE metric_sample (
      server_uuid text COLLATE "C" NOT NULL REFERENCES server (uuid) ON DELETE CASCADE,
      application_uuid text COLLATE "C",
      container text COLLATE "C",
      at timestamptz NOT NULL,
      cpu_percent double precision,
      memory_used double precision NOT NULL,
      memory_total double precision NOT NULL,
      disk_used double precision,
      disk_total double precision,
      received double precision NOT NULL,
      sent double precision NOT NULL
    )`,
    "CREATE INDEX metric_sample_server ON metric_sample (server_uuid, at)",
    "CREATE INDEX metric_sample_own ON metric_sample (server_uuid, at) WHERE container IS NULL",
    `CREATE INDEX metric_sample_application ON metric_sample (application_uuid, at)
      WHERE application_uuid IS NOT NULL`
  ]
}
