import type { Migration } from "../../../Migrations.ts"

/** Creates the table of the encrypted text that detects a start with a different secret key. */
export const keyCheck: Migration = {
  name: "0009_key_check",
  up: [`CREATE TABLE key_check (id boolean PRIMARY KEY CHECK (id), sealed text NOT NULL)`]
}
