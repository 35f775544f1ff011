import type { Migration } from "../../Migrations.ts"

/** Keeps which letters users want, and lets mail wait beside other work. */
export const letters: Migration = {
  name: "0065_letters",
  up: [
    `ALTER TABLE account ADD COLUMN email_notifications text NOT NULL DEFAULT 'enabled'
      CHECK (email_notifications IN ('enabled', 'onmention', 'andyourown', 'disabled'))`,
    `ALTER TABLE job ADD COLUMN mail boolean NOT NULL
      GENERATED ALWAYS AS (work ->> '_tag' IN ('SendMail', 'SendNews')) STORED`,
    `CREATE INDEX job_lane ON job (mail, due_at, id)`
  ]
}
