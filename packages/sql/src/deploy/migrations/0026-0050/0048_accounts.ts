import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/**
 * Creates the tables of accounts, external identities, sessions and failed sign-ins. Existing tokens belong to no
 * account.
 *
 * The used `state` parameter of a sign-in at a provider is stored until it expires, so that a response cannot be
 * replayed.
 */
export const accounts: Migration = {
  name: "0048_accounts",
  up: [
    `CREATE TABLE account (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      email text,
      is_root boolean NOT NULL,
      is_disabled boolean NOT NULL,
      password_hash text COLLATE "C",
      last_sign_in_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT account_name_once UNIQUE (name_key)
    )`,
    ...countRowsOf("account"),
    `CREATE INDEX account_root ON account (id) WHERE is_root`,
    `CREATE TABLE account_identity (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      account_uuid text COLLATE "C" NOT NULL REFERENCES account (uuid) ON DELETE CASCADE,
      issuer text COLLATE "C" NOT NULL,
      subject text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      UNIQUE (issuer, subject)
    )`,
    `CREATE INDEX account_identity_of ON account_identity (account_uuid, id)`,
    `CREATE TABLE session (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      account_uuid text COLLATE "C" NOT NULL REFERENCES account (uuid) ON DELETE CASCADE,
      hash text COLLATE "C" NOT NULL UNIQUE,
      agent text NOT NULL,
      address text NOT NULL,
      expires_at timestamptz NOT NULL,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX session_of_account ON session (account_uuid, id)`,
    `CREATE INDEX session_expiry ON session (expires_at)`,
    `CREATE TABLE sign_in_failure (
      key text COLLATE "C" PRIMARY KEY,
      count bigint NOT NULL,
      last_at timestamptz NOT NULL
    )`,
    `CREATE INDEX sign_in_failure_last ON sign_in_failure (last_at, key)`,
    `CREATE TABLE used_sign_in_state (
      hash text COLLATE "C" PRIMARY KEY,
      expires_at timestamptz NOT NULL
    )`,
    `CREATE INDEX used_sign_in_state_expiry ON used_sign_in_state (expires_at)`,
    `ALTER TABLE token ADD COLUMN account_uuid text COLLATE "C" REFERENCES account (uuid) ON DELETE CASCADE`,
    `CREATE INDEX token_of_account ON token (account_uuid, id)`
  ]
}
