import type { Migration } from "../../../Migrations.ts"

const health = '{"isEnabled": true, "interval": 5, "timeout": 5, "retries": 10, "startPeriod": 600}'

/** Adds the content of file storages, and the health check of databases. */
export const files: Migration = {
  name: "0063_files",
  up: [
    "ALTER TABLE storage ADD COLUMN content text",
    `ALTER TABLE database ADD COLUMN health jsonb NOT NULL DEFAULT '${health}'`
  ]
}
