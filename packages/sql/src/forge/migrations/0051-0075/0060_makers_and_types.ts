import type { Migration } from "../../../Migrations.ts"

/**
 * Adds the creator to runner registration tokens (unknown for existing tokens) and the file type to artifacts (ZIP for
 * existing ones).
 */
export const makersAndTypes: Migration = {
  name: "0060_makers_and_types",
  up: [
    `ALTER TABLE runner_registration ADD COLUMN maker_id bigint REFERENCES account (id) ON DELETE SET NULL`,
    `CREATE INDEX ON runner_registration (maker_id)`,
    `ALTER TABLE artifact ADD COLUMN type text NOT NULL DEFAULT 'application/zip'`,
    `ALTER TABLE artifact ALTER type DROP DEFAULT`
  ]
}
