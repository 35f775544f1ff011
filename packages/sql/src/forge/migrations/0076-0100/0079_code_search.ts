import type { Migration } from "../../../Migrations.ts"

/** Creates the index of code search, and a separate queue for the jobs that update it. */
export const codeSearch: Migration = {
  name: "0079_code_search",
  up: [
    `CREATE TABLE code_index (
      repository_id bigint PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
      run integer NOT NULL,
      begun_at timestamptz NOT NULL,
      indexed_at timestamptz,
      "commit" text COLLATE "C",
      incomplete boolean NOT NULL DEFAULT false
    )`,
    // Refers to the row that each change locks, so that a change never waits for the deletion of the repository.
    `CREATE TABLE code_file (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      repository_id bigint NOT NULL REFERENCES code_index (repository_id) ON DELETE CASCADE,
      path text COLLATE "C" NOT NULL,
      blob text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      language text COLLATE "C" NOT NULL,
      words tsvector NOT NULL,
      CONSTRAINT code_file_once UNIQUE (repository_id, path)
    )`,
    `CREATE INDEX code_file_words ON code_file USING gin (words)`,
    `ALTER TABLE job DROP COLUMN lane`,
    `ALTER TABLE job ADD COLUMN lane text NOT NULL
      GENERATED ALWAYS AS (CASE work ->> '_tag'
        WHEN 'SendMail' THEN 'mail' WHEN 'SendNotificationEmails' THEN 'notifications'
        WHEN 'IndexCode' THEN 'indexing' ELSE 'work'
      END) STORED`,
    `CREATE INDEX job_lane ON job (lane, due_at, id)`
  ]
}
