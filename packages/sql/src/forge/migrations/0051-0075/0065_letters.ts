import type { Migration } from "../../../Migrations.ts"

/** Adds the email preference of users, and separate queues for emails and other jobs. */
export const emailLanes: Migration = {
  name: "0065_letters",
  up: [
    `ALTER TABLE account ADD COLUMN email_notifications text NOT NULL DEFAULT 'enabled'
      CHECK (email_notifications IN ('enabled', 'onmention', 'andyourown', 'disabled'))`,
    `ALTER TABLE job ADD COLUMN lane text NOT NULL
      GENERATED ALWAYS AS (CASE work ->> '_tag' WHEN 'SendMail' THEN 'mail' WHEN 'SendNews' THEN 'news' ELSE 'work' END) STORED`,
    `CREATE INDEX job_lane ON job (lane, due_at, id)`
  ]
}
