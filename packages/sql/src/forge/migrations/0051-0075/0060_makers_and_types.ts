import type { Migration } from "../../../Migrations.ts"

/** Adds the creator to registration tokens (unknown for existing ones) and the type to artifacts (all were ZIP). */
export const makersAndTypes: Migration = {
  name: "0060_makers_and_types",
  up: [
    `ALTER TABLE runner_registration ADD COLUMN maker_id bigint REFERENCES account (id) ON DELETE SET NULL`,
    `CREATE INDEX ON runner_registration (maker_id)`,
    `ALTER TABLE artifact ADD COLUMN type text NOT NULL DEFAULT 'application/zip'`,
    `ALTER TABLE artifact ALTER type DROP DEFAULT`
  ]
}
