import type { Migration } from "../../../Migrations.ts"

/** Creates the table of reports of deployment states that are still to be sent to forges. */
export const pendingReports: Migration = {
  name: "0042_pending_reports",
  up: [
    `CREATE TABLE pending_report (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      forge_link jsonb NOT NULL,
      reported text,
      attempts integer NOT NULL,
      due_at timestamptz NOT NULL,
      claimed_by text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX pending_report_due ON pending_report (due_at, id)`
  ]
}
