import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of tokens, second factors and failed sign-ins. */
export const credentials: Migration = {
  name: "0002_credentials",
  up: [
    `CREATE TABLE access_token (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      hash text COLLATE "C" NOT NULL UNIQUE,
      scopes jsonb NOT NULL,
      last_eight text NOT NULL,
      expires_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      CONSTRAINT access_token_name_once UNIQUE (user_id, name_key)
    )`,
    `CREATE TABLE second_factor (
      user_id bigint PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
      secret text NOT NULL,
      confirmed boolean NOT NULL,
      last_step bigint NOT NULL
    )`,
    `CREATE TABLE recovery_code (
      user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      hash text COLLATE "C" NOT NULL,
      PRIMARY KEY (user_id, hash)
    )`,
    `CREATE TABLE sign_in_failure (
      key text COLLATE "C" PRIMARY KEY,
      count bigint NOT NULL,
      last_at timestamptz NOT NULL
    )`,
    `CREATE INDEX sign_in_failure_last ON sign_in_failure (last_at, key)`
  ]
}
