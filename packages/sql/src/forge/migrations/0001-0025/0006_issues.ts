import {
  assignees,
  comments,
  contentRevisions,
  dependencies,
  issues as issueKind,
  issueLabels,
  mentions,
  milestones,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

const counters = {
  openIssues: { of: "repositoryId", where: { pull: false, state: "open" } },
  openPulls: { of: "repositoryId", where: { pull: true, state: "open" } },
  open: { of: "milestoneId", where: { state: "open" } },
  closed: { of: "milestoneId", where: { state: "closed" } }
}

/** Creates the tables of issues and their related data, and adds labels to repositories. */
export const issues: Migration = {
  name: "0006_issues",
  up: [
    `ALTER TABLE label ALTER COLUMN organization_id DROP NOT NULL,
      ADD COLUMN repository_id bigint REFERENCES repository (id) ON DELETE CASCADE`,
    `CREATE INDEX label_repository ON label (repository_id, name_key, id)`,
    ...[
      milestones,
      { ...issueKind, counters },
      comments,
      issueLabels,
      assignees,
      mentions,
      dependencies,
      contentRevisions,
      timelineEvents
    ].flatMap(createTable),
    // Words of titles and texts, in any language; a longer text is searchable by its beginning.
    `CREATE TABLE issue_words (
      issue_id bigint PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE,
      words tsvector NOT NULL
    )`,
    `CREATE INDEX issue_words_words ON issue_words USING gin (words)`,
    `CREATE FUNCTION issue_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO issue_words (issue_id, words)
      VALUES (NEW.id, to_tsvector('simple', left(NEW.title, 1000) || ' ' || left(NEW.body, 100000)))
      ON CONFLICT (issue_id) DO UPDATE SET words = excluded.words;
      RETURN NULL;
    END
    $$`,
    `CREATE TRIGGER issue_words_changed AFTER INSERT OR UPDATE OF title, body ON issue
    FOR EACH ROW EXECUTE FUNCTION issue_words_changed()`,
    `CREATE INDEX issue_open ON issue (repository_id, pull, state, number)`,
    `CREATE INDEX issue_author ON issue (author_id, id)`
  ]
}
