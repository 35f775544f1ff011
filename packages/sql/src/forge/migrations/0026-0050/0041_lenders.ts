import type { Migration } from "../../../Migrations.ts"

/**
 * Adds to pull requests the user who allows maintainers to push to the head branch. For existing pull requests that
 * allow this, it is the author.
 */
export const headBranchLenders: Migration = {
  name: "0041_lenders",
  up: [
    `ALTER TABLE pull_request ADD COLUMN lender_id bigint REFERENCES account (id) ON DELETE SET NULL`,
    `UPDATE pull_request SET lender_id = issue.author_id FROM issue
      WHERE issue.id = pull_request.issue_id AND pull_request.allow_maintainer_edit`,
    `CREATE INDEX ON pull_request (lender_id)`
  ]
}
