import type { Migration } from "../../../Migrations.ts"

/** Adds the TLS settings of databases, and the certificate authorities of teams. */
export const databaseSsl: Migration = {
  name: "0074_database_ssl",
  up: [
    `ALTER TABLE database
      ADD COLUMN ssl jsonb NOT NULL DEFAULT '{"isEnabled": false, "mode": null}',
      ADD COLUMN certificate_expires_at timestamptz`,
    `CREATE INDEX database_certificate ON database (certificate_expires_at) WHERE certificate_expires_at IS NOT NULL`,
    `CREATE TABLE certificate_authority (
      team_id bigint PRIMARY KEY REFERENCES team (id) ON DELETE CASCADE,
      certificate text COLLATE "C" NOT NULL,
      private_key text COLLATE "C" NOT NULL,
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL
    )`
  ]
}
