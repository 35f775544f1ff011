import type { Migration } from "../../../Migrations.ts"

/** Keeps who lends the head of a pull request: of those that are there whoever opened it, which counts while they write it. */
export const lenders: Migration = {
  name: "0041_lenders",
  up: [
    `ALTER TABLE pull_request ADD COLUMN lender_id bigint REFERENCES account (id) ON DELETE SET NULL`,
    `UPDATE pull_request SET lender_id = issue.author_id FROM issue
      WHERE issue.id = pull_request.issue_id AND pull_request.allow_maintainer_edit`,
    `CREATE INDEX ON pull_request (lender_id)`
  ]
}
