import type { Migration } from "../../../Migrations.ts"

/** Stores schedule, threshold and result of disk checks of servers. */
export const diskChecks: Migration = {
  name: "0031_disk_checks",
  up: [
    `ALTER TABLE server
      ADD COLUMN disk_check_frequency text NOT NULL DEFAULT '0 23 * * *',
      ADD COLUMN disk_threshold integer NOT NULL DEFAULT 80,
      ADD COLUMN disk_check jsonb`
  ]
}
