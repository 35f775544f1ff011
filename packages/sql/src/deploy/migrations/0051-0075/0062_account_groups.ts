import { countRowsOf } from "../../../collection/counts.ts"
import type { Migration } from "../../../Migrations.ts"

/** Adds groups of accounts. A grant can name a group instead of an account. */
export const accountGroups: Migration = {
  name: "0062_account_groups",
  up: [
    `CREATE TABLE account_group (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      team_id bigint NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT account_group_name_once UNIQUE (team_id, name_key)
    )`,
    ...countRowsOf("account_group"),
    // A member that leaves the team leaves its groups.
    `CREATE TABLE account_group_member (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      group_uuid text COLLATE "C" NOT NULL REFERENCES account_group (uuid) ON DELETE CASCADE,
      team_id bigint NOT NULL,
      account_uuid text COLLATE "C" NOT NULL,
      UNIQUE (account_uuid, group_uuid),
      FOREIGN KEY (account_uuid, team_id) REFERENCES team_member (account_uuid, team_id) ON DELETE CASCADE
    )`,
    "CREATE INDEX account_group_member_of_group ON account_group_member (group_uuid)",
    "CREATE INDEX account_group_member_of_team ON account_group_member (team_id, id)",
    "CREATE INDEX account_group_member_of_member ON account_group_member (account_uuid, team_id)",
    `ALTER TABLE role_grant
      ALTER COLUMN account_uuid DROP NOT NULL,
      ADD COLUMN group_uuid text COLLATE "C" REFERENCES account_group (uuid) ON DELETE CASCADE,
      ADD CHECK ((account_uuid IS NULL) <> (group_uuid IS NULL))`,
    "CREATE INDEX role_grant_of_group ON role_grant (group_uuid, id) WHERE group_uuid IS NOT NULL"
  ]
}
