import type { Migration } from "../../../Migrations.ts"

/** Creates the table of the applications that run other applications at additional destinations. */
export const additionalDestinations: Migration = {
  name: "0073_additional_destinations",
  up: [
    `CREATE TABLE additional_destination (
      id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      application_uuid text COLLATE "C" NOT NULL REFERENCES application (uuid) ON DELETE CASCADE,
      copy_uuid text COLLATE "C" PRIMARY KEY REFERENCES application (uuid) ON DELETE CASCADE,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX additional_destination_of_application ON additional_destination (application_uuid, id)`
  ]
}
