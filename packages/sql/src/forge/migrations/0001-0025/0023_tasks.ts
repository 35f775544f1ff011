import type { Migration } from "../../../Migrations.ts"

/** Creates the table of scheduled tasks. */
export const tasks: Migration = {
  name: "0023_tasks",
  up: [
    `CREATE TABLE task (
      name text COLLATE "C" PRIMARY KEY,
      schedule text NOT NULL,
      due_at timestamptz NOT NULL,
      begun_at timestamptz,
      runs integer NOT NULL DEFAULT 0,
      held_until timestamptz
    )`
  ]
}
