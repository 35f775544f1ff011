import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of tags and of the applications that have them. */
export const tags: Migration = {
  name: "0009_tags",
  up: [
    `CREATE TABLE tag (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT tag_name_once UNIQUE (name_key)
    )`,
    // References by number: the index then has the applications of a tag in the order of lists.
    `CREATE TABLE application_tag (
      tag_id bigint NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
      application_id bigint NOT NULL REFERENCES application (id) ON DELETE CASCADE,
      PRIMARY KEY (tag_id, application_id)
    )`,
    `CREATE INDEX application_tag_application ON application_tag (application_id)`,
    ...countRowsOf("tag")
  ]
}
