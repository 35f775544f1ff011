import type { Migration } from "../../../Migrations.ts"

/** Adds the user who pushes the head of a pull request to `refs/for/`; the id stays after the account is deleted. */
export const pushedPulls: Migration = {
  name: "0069_pushed_pulls",
  up: [`ALTER TABLE pull_request ADD COLUMN pushed_by bigint`]
}
