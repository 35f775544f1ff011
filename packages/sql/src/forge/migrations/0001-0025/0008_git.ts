import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of protections, pushes and deploy keys. */
export const git: Migration = {
  name: "0008_git",
  up: [
    `CREATE TABLE branch_protection (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      rule_name text COLLATE "C" NOT NULL,
      priority integer NOT NULL,
      rules jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT branch_protection_once UNIQUE (repository_id, rule_name)
    )`,
    `CREATE TABLE tag_protection (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      name_pattern text COLLATE "C" NOT NULL,
      allowed jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT tag_protection_once UNIQUE (repository_id, name_pattern)
    )`,
    `CREATE TABLE push (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      at timestamptz NOT NULL,
      refs jsonb NOT NULL,
      event jsonb NOT NULL,
      settled boolean NOT NULL DEFAULT false
    )`,
    `CREATE INDEX push_repository ON push (repository_id, id)`,
    `CREATE TABLE lfs_object (
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      oid text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      PRIMARY KEY (repository_id, oid)
    )`,
    `CREATE INDEX lfs_object_oid ON lfs_object (oid)`,
    `CREATE TABLE lfs_lock (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      path text COLLATE "C" NOT NULL,
      user_id bigint,
      owner text NOT NULL,
      locked_at timestamptz NOT NULL,
      CONSTRAINT lfs_lock_once UNIQUE (repository_id, path)
    )`,
    `CREATE TABLE ssh_key (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id bigint REFERENCES account (id) ON DELETE CASCADE,
      repository_id bigint REFERENCES repository (id) ON DELETE CASCADE,
      read_only boolean NOT NULL,
      title text NOT NULL,
      public_key text NOT NULL,
      fingerprint text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      used_at timestamptz,
      CONSTRAINT ssh_key_of_one CHECK (num_nonnulls(user_id, repository_id) = 1),
      CONSTRAINT ssh_key_once UNIQUE (fingerprint)
    )`,
    `CREATE INDEX ssh_key_user ON ssh_key (user_id, id) WHERE user_id IS NOT NULL`,
    `CREATE INDEX ssh_key_repository ON ssh_key (repository_id, id) WHERE repository_id IS NOT NULL`
  ]
}
