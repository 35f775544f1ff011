import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the table of tokens. */
export const tokens: Migration = {
  name: "0013_tokens",
  up: [
    `CREATE TABLE token (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL,
      abilities jsonb NOT NULL,
      hash text COLLATE "C" NOT NULL,
      hash_key text COLLATE "C" NOT NULL,
      expires_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT token_hash_once UNIQUE (hash_key)
    )`,
    ...countRowsOf("token")
  ]
}
