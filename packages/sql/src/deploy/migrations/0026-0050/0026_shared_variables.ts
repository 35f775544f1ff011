import type { Migration } from "../../../Migrations.ts"

const owned = ["project", "environment", "server"].map(
  (scope) => `${scope}_uuid text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN scope = '${scope}' THEN owner END) STORED
    REFERENCES ${scope} (uuid) ON DELETE CASCADE`
)

/** Creates the table of shared variables. */
export const sharedVariables: Migration = {
  name: "0026_shared_variables",
  up: [
    `CREATE TABLE shared_variable (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      scope text COLLATE "C" NOT NULL,
      owner text COLLATE "C" NOT NULL,
      owner_key text COLLATE "C" GENERATED ALWAYS AS (scope || ' ' || owner) STORED,
      ${owned.join(",\n")},
      key text COLLATE "C" NOT NULL,
      value text NOT NULL,
      is_literal boolean NOT NULL,
      is_multiline boolean NOT NULL,
      is_shown_once boolean NOT NULL,
      comment text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      UNIQUE (owner_key, key)
    )`,
    ...["project", "environment", "server"].map(
      (scope) => `CREATE INDEX shared_variable_${scope} ON shared_variable (${scope}_uuid)`
    )
  ]
}
