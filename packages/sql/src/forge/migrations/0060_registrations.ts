import type { Migration } from "../../Migrations.ts"

/** Keeps who made a token that registers runners; of those that are there nobody knows. */
export const registrations: Migration = {
  name: "0060_registrations",
  up: [
    `ALTER TABLE runner_registration ADD COLUMN maker_id bigint REFERENCES account (id) ON DELETE SET NULL`,
    `CREATE INDEX ON runner_registration (maker_id)`
  ]
}
