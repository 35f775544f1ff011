import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table of private keys. */
export const keys: Migration = {
  name: "0003_keys",
  up: [
    `CREATE TABLE private_key (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL,
      description text NOT NULL,
      private_key text NOT NULL,
      public_key text NOT NULL,
      fingerprint text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    ...countRowsOf("private_key")
  ]
}
