import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of users, their names and addresses, follows and blocks. */
export const accounts: Migration = {
  name: "0001_accounts",
  up: [
    // Users and organizations share one sequence of ids, because clients see both as owners.
    `CREATE SEQUENCE owner_id`,
    `CREATE TABLE account (
      id bigint PRIMARY KEY DEFAULT nextval('owner_id'),
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      full_name text NOT NULL,
      full_name_key text COLLATE "C" NOT NULL,
      description text NOT NULL,
      website text NOT NULL,
      location text NOT NULL,
      language text NOT NULL,
      theme text NOT NULL,
      diff_view_style text NOT NULL,
      hide_email boolean NOT NULL,
      hide_activity boolean NOT NULL,
      visibility text COLLATE "C" NOT NULL CHECK (visibility IN ('public', 'limited', 'private')),
      active boolean NOT NULL,
      admin boolean NOT NULL,
      restricted boolean NOT NULL,
      prohibited boolean NOT NULL,
      must_change_password boolean NOT NULL,
      may_create_organizations boolean NOT NULL,
      may_edit_git_hooks boolean NOT NULL,
      may_import_local boolean NOT NULL,
      max_repositories bigint NOT NULL,
      login_name text NOT NULL,
      source_id bigint NOT NULL,
      password_hash text,
      last_sign_in_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE UNIQUE INDEX account_name ON account (name_key)`,
    `CREATE INDEX account_administrators ON account (id) WHERE admin`,
    // A name that is not current redirects to its former holder until another account takes it.
    `CREATE TABLE owner_name (
      name_key text COLLATE "C" PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      current boolean NOT NULL
    )`,
    `CREATE INDEX owner_name_user ON owner_name (user_id)`,
    `CREATE TABLE email (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      address text NOT NULL,
      address_key text COLLATE "C" NOT NULL,
      verified boolean NOT NULL,
      is_primary boolean NOT NULL,
      CONSTRAINT email_address_once UNIQUE (address_key)
    )`,
    `CREATE INDEX email_user ON email (user_id)`,
    `CREATE UNIQUE INDEX email_primary_once ON email (user_id) WHERE is_primary`,
    `CREATE TABLE follow (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      follower bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      followed bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      CONSTRAINT follow_once UNIQUE (follower, followed)
    )`,
    `CREATE INDEX follow_followed ON follow (followed, id)`,
    `CREATE TABLE block (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      blocker bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      blocked bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      note text NOT NULL,
      CONSTRAINT block_once UNIQUE (blocker, blocked)
    )`,
    `CREATE INDEX block_blocked ON block (blocked)`
  ]
}
