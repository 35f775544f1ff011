import type { Migration } from "../../../Migrations.ts"

/** Renames job types, a field and a queue of stored jobs to the names that the current version uses. */
export const jobNames: Migration = {
  name: "0076_job_names",
  up: [
    `ALTER TABLE job DROP COLUMN lane`,
    `UPDATE job SET work = work || '{"_tag": "SendNotificationEmails"}' WHERE work ->> '_tag' = 'SendNews'`,
    `UPDATE job SET work = work || '{"_tag": "NotifyRelease"}' WHERE work ->> '_tag' = 'TellRelease'`,
    `UPDATE job SET work = work - 'news' || jsonb_build_object('event', work -> 'news')
      WHERE work ->> '_tag' = 'StartRuns'`,
    `ALTER TABLE job ADD COLUMN lane text NOT NULL
      GENERATED ALWAYS AS (CASE work ->> '_tag'
        WHEN 'SendMail' THEN 'mail' WHEN 'SendNotificationEmails' THEN 'notifications' ELSE 'work'
      END) STORED`,
    `CREATE INDEX job_lane ON job (lane, due_at, id)`
  ]
}
