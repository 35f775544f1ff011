import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of jobs and of notices for administrators. */
export const jobs: Migration = {
  name: "0004_jobs",
  up: [
    `CREATE TABLE job (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      work jsonb NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL
    )`,
    `CREATE INDEX job_due ON job (due_at, id)`,
    `CREATE TABLE notice (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      text text NOT NULL,
      created_at timestamptz NOT NULL,
      CONSTRAINT notice_once UNIQUE (text)
    )`
  ]
}
