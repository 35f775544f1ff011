import type { Migration } from "../../Migrations.ts"

/** Makes the tables of issues and of what is said below them. */
export const issues: Migration = {
  name: "0006_issues",
  up: [
    `CREATE TABLE issue (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      number bigint NOT NULL,
      pull boolean NOT NULL,
      title text NOT NULL,
      body text NOT NULL,
      content_version bigint NOT NULL,
      state text COLLATE "C" NOT NULL CHECK (state IN ('open', 'closed')),
      author_id bigint NOT NULL,
      milestone_id bigint,
      ref text NOT NULL,
      locked boolean NOT NULL,
      lock_reason text NOT NULL,
      pin_order bigint NOT NULL,
      comments bigint NOT NULL,
      time_estimate bigint NOT NULL,
      due_at timestamptz,
      closed_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT issue_number_once UNIQUE (repository_id, number)
    )`,
    `CREATE TABLE comment (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      issue_id bigint NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      author_id bigint NOT NULL,
      body text NOT NULL,
      content_version bigint NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE INDEX comment_issue ON comment (issue_id, id)`,
    `CREATE INDEX comment_repository ON comment (repository_id, id)`
  ]
}
