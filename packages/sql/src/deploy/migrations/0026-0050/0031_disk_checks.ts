import type { Migration } from "../../../Migrations.ts"

/** Keeps how often the disks of servers are looked at, how full they may be, and what was found. */
export const diskChecks: Migration = {
  name: "0031_disk_checks",
  up: [
    `ALTER TABLE server
      ADD COLUMN disk_check_frequency text NOT NULL DEFAULT '0 23 * * *',
      ADD COLUMN disk_threshold integer NOT NULL DEFAULT 80,
      ADD COLUMN disk_check jsonb`
  ]
}
