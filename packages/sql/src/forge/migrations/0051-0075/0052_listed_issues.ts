import type { Migration } from "../../../Migrations.ts"

const copies = "private, owner_visibility, owner_user_id, owner_organization_id, units"
const facts = (row: string) =>
  `${row}.private, ${row}.owner_visibility, ${row}.user_id, ${row}.organization_id, ${row}.units`

/**
 * Creates a table for lists of issues, with one index and copies of the repository columns that decide on visibility.
 *
 * The index is not on the table of issues, because that table already has too many indexes.
 */
export const listedIssues: Migration = {
  name: "0052_listed_issues",
  up: [
    `CREATE TABLE listed_issue (
      issue_id bigint REFERENCES issue (id) ON DELETE CASCADE,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      pull boolean NOT NULL,
      state text COLLATE "C" NOT NULL,
      private boolean NOT NULL,
      owner_visibility text COLLATE "C" NOT NULL,
      owner_user_id bigint,
      owner_organization_id bigint,
      units integer NOT NULL,
      PRIMARY KEY (issue_id) INCLUDE (repository_id, pull, state, ${copies})
    )`,
    `INSERT INTO listed_issue (issue_id, repository_id, pull, state, ${copies})
      SELECT issue.id, repository.id, issue.pull, issue.state, ${facts("repository")}
      FROM issue JOIN repository ON repository.id = issue.repository_id`,
    `CREATE INDEX listed_issue_repository ON listed_issue (repository_id)`,
    // Locks the repository, so that its visibility cannot change before this row is stored.
    `CREATE FUNCTION list_issue() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO listed_issue (issue_id, repository_id, pull, state, ${copies})
        SELECT NEW.id, repository.id, NEW.pull, NEW.state, ${facts("repository")}
        FROM repository WHERE id = NEW.repository_id FOR NO KEY UPDATE;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER lists_issue AFTER INSERT ON issue FOR EACH ROW EXECUTE FUNCTION list_issue()`,
    `CREATE FUNCTION follow_issue() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE listed_issue SET state = NEW.state WHERE issue_id = NEW.id;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER issue_is_followed AFTER UPDATE OF state ON issue FOR EACH ROW
      WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION follow_issue()`,
    `CREATE OR REPLACE FUNCTION follow_repository() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE star SET (${copies}) = (${facts("NEW")}) WHERE repository_id = NEW.id;
        UPDATE watch SET (${copies}) = (${facts("NEW")}) WHERE repository_id = NEW.id;
        UPDATE activity SET (${copies}) = (${facts("NEW")}) WHERE repository_id = NEW.id;
        UPDATE listed_issue SET (${copies}) = (${facts("NEW")}) WHERE repository_id = NEW.id;
        RETURN NULL;
      END $$`
  ]
}
