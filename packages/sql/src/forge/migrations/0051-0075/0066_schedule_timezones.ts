import type { Migration } from "../../../Migrations.ts"

/** Adds the time zone to schedules of workflows. */
export const scheduleTimezones: Migration = {
  name: "0066_schedule_timezones",
  up: ["ALTER TABLE workflow_schedule ADD timezone text NOT NULL DEFAULT 'UTC'"]
}
