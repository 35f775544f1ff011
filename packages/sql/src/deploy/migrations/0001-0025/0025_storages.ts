import type { Migration } from "../../../Migrations.ts"

/** Creates the table of storages of applications. */
export const storages: Migration = {
  name: "0025_storages",
  up: [
    `CREATE TABLE storage (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      application_uuid text COLLATE "C" NOT NULL REFERENCES application (uuid) ON DELETE CASCADE,
      name text COLLATE "C" NOT NULL,
      mount_path text COLLATE "C" NOT NULL,
      host_path text COLLATE "C",
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      UNIQUE (application_uuid, mount_path)
    )`
  ]
}
