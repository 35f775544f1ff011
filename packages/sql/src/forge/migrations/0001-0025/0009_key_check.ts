import type { Migration } from "../../../Migrations.ts"

/** Makes the table of the one text that tells whether the key is the right one. */
export const keyCheck: Migration = {
  name: "0009_key_check",
  up: [`CREATE TABLE key_check (id boolean PRIMARY KEY CHECK (id), sealed text NOT NULL)`]
}
