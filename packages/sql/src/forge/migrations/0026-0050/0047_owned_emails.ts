import type { Migration } from "../../../Migrations.ts"

/**
 * Adapts the table of email addresses to its declaration, so that a generated store can use it. The primary address
 * also has its user in the column `primary_of`.
 */
export const ownedEmails: Migration = {
  name: "0047_owned_emails",
  up: [
    `ALTER TABLE email ADD primary_of bigint REFERENCES account (id) ON DELETE CASCADE`,
    `UPDATE email SET primary_of = user_id WHERE is_primary`,
    `ALTER TABLE email DROP is_primary`,
    `ALTER TABLE email ADD CONSTRAINT email_primary_once UNIQUE (primary_of)`,
    `DROP INDEX email_user`,
    `CREATE INDEX ON email (user_id, id)`,
    `CREATE INDEX ON email (user_id, address_key, id)`
  ]
}
