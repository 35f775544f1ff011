import type { Migration } from "../../../Migrations.ts"

/** Adds to servers the schedule, the threshold and the last result of disk checks. */
export const diskChecks: Migration = {
  name: "0031_disk_checks",
  up: [
    `ALTER TABLE server
      ADD COLUMN disk_check_frequency text NOT NULL DEFAULT '0 23 * * *',
      ADD COLUMN disk_threshold integer NOT NULL DEFAULT 80,
      ADD COLUMN disk_check jsonb`
  ]
}
