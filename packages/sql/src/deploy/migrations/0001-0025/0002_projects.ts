import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of projects and environments. */
export const projects: Migration = {
  name: "0002_projects",
  up: [
    `CREATE TABLE project (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL,
      description text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE TABLE environment (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      project_uuid text COLLATE "C" NOT NULL REFERENCES project (uuid) ON DELETE CASCADE,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      description text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT environment_name_once UNIQUE (project_uuid, name_key)
    )`,
    ...countRowsOf("project"),
    ...countRowsOf("environment")
  ]
}
