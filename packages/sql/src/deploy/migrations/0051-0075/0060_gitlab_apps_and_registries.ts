import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of GitLab apps and of credentials for registries. */
export const gitlabAppsAndRegistries: Migration = {
  name: "0060_gitlab_apps_and_registries",
  up: [
    `CREATE TABLE gitlab_app (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      team_id bigint NOT NULL REFERENCES team (id),
      name text NOT NULL,
      html_url text NOT NULL,
      custom_user text NOT NULL,
      custom_port integer NOT NULL,
      groups text,
      webhook_token text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    "CREATE INDEX gitlab_app_of_team ON gitlab_app (team_id, id)",
    ...countRowsOf("gitlab_app"),
    `CREATE TABLE registry (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      team_id bigint NOT NULL REFERENCES team (id),
      name text NOT NULL,
      description text NOT NULL,
      registry text NOT NULL,
      registry_key text COLLATE "C" NOT NULL,
      username text NOT NULL,
      password text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT registry_registry_once UNIQUE (team_id, registry_key)
    )`,
    "CREATE INDEX registry_of_team ON registry (team_id, id)",
    ...countRowsOf("registry")
  ]
}
