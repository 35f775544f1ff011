import type { Migration } from "../../../Migrations.ts"

const things = ["issue", "comment", "release"] as const

/** Makes foreign keys delete attachments together with their issue, comment or release. */
export const attachedThings: Migration = {
  name: "0025_attached_things",
  up: [
    ...things.map(
      (thing) => `DELETE FROM attachment WHERE kind = '${thing}'
        AND NOT EXISTS (SELECT FROM ${thing} WHERE ${thing}.id = attachment.thing_id)`
    ),
    `ALTER TABLE attachment ${things
      .map(
        (
          thing
        ) => `ADD COLUMN ${thing}_id bigint GENERATED ALWAYS AS (CASE kind WHEN '${thing}' THEN thing_id END) STORED
        REFERENCES ${thing} (id) ON DELETE CASCADE`
      )
      .join(", ")}`,
    ...things.map(
      (thing) => `CREATE INDEX attachment_${thing} ON attachment (${thing}_id, id) WHERE ${thing}_id IS NOT NULL`
    ),
    `DROP INDEX attachment_thing`,
    `CREATE INDEX attachment_repository ON attachment (repository_id)`
  ]
}
