import type { Migration } from "../../../Migrations.ts"

/** Adds to servers the setting that allows terminals in their containers. */
export const terminals: Migration = {
  name: "0077_terminals",
  up: [`ALTER TABLE server ADD COLUMN is_terminal_enabled boolean NOT NULL DEFAULT false`]
}
