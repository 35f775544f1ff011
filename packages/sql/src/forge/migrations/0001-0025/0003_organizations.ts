import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of organizations, teams, repositories, and the memberships and grants of users. */
export const organizations: Migration = {
  name: "0003_organizations",
  up: [
    `CREATE TABLE organization (
      id bigint PRIMARY KEY DEFAULT nextval('owner_id'),
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      full_name text NOT NULL,
      email text NOT NULL,
      description text NOT NULL,
      website text NOT NULL,
      location text NOT NULL,
      visibility text COLLATE "C" NOT NULL CHECK (visibility IN ('public', 'limited', 'private')),
      repo_admin_change_team_access boolean NOT NULL,
      avatar text COLLATE "C",
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `ALTER TABLE account ADD avatar text COLLATE "C"`,
    `CREATE TABLE avatar (
      name text COLLATE "C" PRIMARY KEY,
      picture bytea NOT NULL
    )`,
    `CREATE UNIQUE INDEX organization_name ON organization (name_key)`,
    `ALTER TABLE owner_name
      ALTER user_id DROP NOT NULL,
      ADD organization_id bigint REFERENCES organization (id) ON DELETE CASCADE,
      ADD CONSTRAINT owner_name_of_one CHECK (num_nonnulls(user_id, organization_id) = 1)`,
    `CREATE INDEX owner_name_organization ON owner_name (organization_id)`,
    // Organizations can block users too; the blocks of a removed user or organization are deleted.
    `ALTER TABLE block DROP CONSTRAINT block_blocker_fkey`,
    // The units as bit sets: those with at least read, with at least write, and with admin.
    `CREATE TABLE team (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      description text NOT NULL,
      description_key text COLLATE "C" NOT NULL,
      owners boolean NOT NULL,
      readable integer NOT NULL,
      writable integer NOT NULL,
      administered integer NOT NULL,
      includes_all boolean NOT NULL,
      creates boolean NOT NULL,
      visibility text COLLATE "C" NOT NULL CHECK (visibility IN ('private', 'limited', 'public')),
      CONSTRAINT team_name_once UNIQUE (organization_id, name_key),
      UNIQUE (id, organization_id),
      CHECK (writable & ~readable = 0 AND administered & ~writable = 0)
    )`,
    `CREATE UNIQUE INDEX team_owners_once ON team (organization_id) WHERE owners`,
    // Each row has the organization, so that one index finds the memberships of a user in it.
    `CREATE TABLE team_member (
      team_id bigint NOT NULL,
      organization_id bigint NOT NULL,
      user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      PRIMARY KEY (team_id, user_id),
      FOREIGN KEY (team_id, organization_id) REFERENCES team (id, organization_id) ON DELETE CASCADE
    )`,
    `CREATE UNIQUE INDEX team_member_user ON team_member (user_id, organization_id, team_id)`,
    `CREATE TABLE public_membership (
      organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      PRIMARY KEY (organization_id, user_id)
    )`,
    `CREATE INDEX public_membership_user ON public_membership (user_id)`,
    // One column names either owner, because users and organizations share one sequence of ids.
    `CREATE TABLE repository (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id bigint REFERENCES account (id),
      organization_id bigint REFERENCES organization (id),
      owner_id bigint NOT NULL GENERATED ALWAYS AS (coalesce(user_id, organization_id)) STORED,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      description text NOT NULL,
      website text NOT NULL,
      private boolean NOT NULL,
      archived boolean NOT NULL,
      mirror boolean NOT NULL,
      template boolean NOT NULL,
      empty boolean NOT NULL,
      default_branch text NOT NULL,
      units integer NOT NULL,
      size bigint NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (num_nonnulls(user_id, organization_id) = 1)
    )`,
    `CREATE INDEX repository_owner ON repository (owner_id, id)`,
    `CREATE INDEX repository_user ON repository (user_id) WHERE user_id IS NOT NULL`,
    `CREATE INDEX repository_organization ON repository (organization_id, id) WHERE organization_id IS NOT NULL`,
    // A name that is not current redirects to its former repository until another one takes it.
    `CREATE TABLE repository_name (
      owner_id bigint NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      current boolean NOT NULL,
      PRIMARY KEY (owner_id, name_key)
    )`,
    `CREATE INDEX repository_name_repository ON repository_name (repository_id)`,
    `CREATE TABLE team_repository (
      team_id bigint NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      PRIMARY KEY (team_id, repository_id)
    )`,
    `CREATE INDEX team_repository_repository ON team_repository (repository_id, team_id)`,
    `CREATE TABLE collaborator (
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      user_id bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      level integer NOT NULL CHECK (level BETWEEN 1 AND 3),
      PRIMARY KEY (repository_id, user_id)
    )`,
    `CREATE INDEX collaborator_user ON collaborator (user_id, repository_id)`,
    `CREATE TABLE label (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      organization_id bigint NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      color text NOT NULL,
      description text NOT NULL,
      exclusive boolean NOT NULL,
      archived boolean NOT NULL
    )`,
    `CREATE INDEX label_organization ON label (organization_id, name_key, id)`
  ]
}
