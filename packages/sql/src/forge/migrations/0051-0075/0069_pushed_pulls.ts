import type { Migration } from "../../../Migrations.ts"

/** Adds to pull requests the user who pushed the head to `refs/for/`. The id remains after the account is deleted. */
export const pushedPulls: Migration = {
  name: "0069_pushed_pulls",
  up: [`ALTER TABLE pull_request ADD COLUMN pushed_by bigint`]
}
