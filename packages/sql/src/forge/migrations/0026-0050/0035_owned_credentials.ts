import type { Migration } from "../../../Migrations.ts"

/** Adapts the table of access tokens to its declaration, so that a generated store can use it. */
export const ownedCredentials: Migration = {
  name: "0035_owned_credentials",
  up: [
    `ALTER TABLE access_token RENAME grant_key TO "grant"`,
    `ALTER TABLE access_token RENAME CONSTRAINT access_token_hash_key TO access_token_hash_once`,
    `ALTER TABLE access_token ALTER kind DROP DEFAULT, ALTER origin DROP DEFAULT`,
    `DROP INDEX access_token_kind`,
    `DROP INDEX access_token_application`,
    `CREATE INDEX ON "access_token" ("user_id", id)`,
    `CREATE INDEX ON "access_token" ("user_id", "kind", id)`,
    `CREATE INDEX ON "access_token" ("user_id", "grant", id)`,
    `CREATE INDEX ON "access_token" ("user_id", "expires_at", id)`,
    `CREATE INDEX ON "access_token" ("application_id")`,
    // Expired tokens of all users are found by time.
    `DROP INDEX access_token_expiry`,
    `CREATE INDEX access_token_expiry ON access_token (expires_at) WHERE expires_at IS NOT NULL`
  ]
}
