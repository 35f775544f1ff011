import { protocolRecords } from "@slipway/domain/forge/identity"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of OpenID Connect, and adds OAuth2 tokens and browser sessions to tokens. */
export const openid: Migration = {
  name: "0028_openid",
  up: [
    ...createTable(protocolRecords),
    `ALTER TABLE oauth2_application
      ALTER secret_hash TYPE text COLLATE "C",
      ADD CONSTRAINT oauth2_application_secret_once UNIQUE (secret_hash)`,
    `ALTER TABLE access_token
      ADD kind text COLLATE "C" NOT NULL DEFAULT 'personal' CHECK (kind IN ('personal', 'oauth2', 'session')),
      ADD application_id bigint REFERENCES oauth2_application (id) ON DELETE CASCADE,
      ADD grant_key text COLLATE "C",
      ADD origin jsonb NOT NULL DEFAULT '{}'`,
    `CREATE INDEX access_token_kind ON access_token (user_id, kind, id)`,
    `CREATE INDEX access_token_grant ON access_token (grant_key) WHERE grant_key IS NOT NULL`,
    `CREATE INDEX access_token_application ON access_token (application_id) WHERE application_id IS NOT NULL`,
    `CREATE INDEX access_token_expiry ON access_token (expires_at) WHERE kind <> 'personal'`
  ]
}
