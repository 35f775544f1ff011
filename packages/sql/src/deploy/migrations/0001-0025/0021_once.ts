import type { Migration } from "../../../Migrations.ts"

/**
 * Makes project names and webhook deliveries unique. Renames older projects with duplicate names, and deletes duplicate
 * deliveries.
 */
export const uniqueNamesAndDeliveries: Migration = {
  name: "0021_once",
  up: [
    `ALTER TABLE project ADD COLUMN name_key text COLLATE "C"`,
    `UPDATE project SET name_key = lower(upper(name COLLATE "und-x-icu") COLLATE "und-x-icu")`,
    `UPDATE project SET name = left(project.name, 200) || ' ' || project.uuid,
      name_key = left(project.name_key, 200) || ' ' || project.uuid
      FROM project earlier WHERE earlier.name_key = project.name_key AND earlier.id < project.id`,
    `ALTER TABLE project ALTER COLUMN name_key SET NOT NULL, ADD CONSTRAINT project_name_once UNIQUE (name_key)`,
    `DELETE FROM delivery USING delivery earlier
      WHERE earlier.application_uuid = delivery.application_uuid AND earlier.body_digest = delivery.body_digest
        AND earlier.id < delivery.id`,
    `ALTER TABLE delivery DROP CONSTRAINT delivery_application_uuid_provider_body_digest_key,
      ADD CONSTRAINT delivery_body_once UNIQUE (application_uuid, body_digest)`
  ]
}
