CREATE TABLE "package" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "owner_id" bigint NOT NULL,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "organization_id" bigint REFERENCES "organization" (id) ON DELETE CASCADE,
      "type" text COLLATE "C" NOT NULL,
      "name" text NOT NULL,
      "name_key" text COLLATE "C" NOT NULL,
      CONSTRAINT package_name_once UNIQUE ("owner_id", "type", "name_key")
    );

CREATE INDEX ON "package" ("owner_id", id);

CREATE INDEX ON "package" ("user_id");

CREATE INDEX ON "package" ("organization_id");

CREATE TABLE "package_version" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "package_id" bigint NOT NULL REFERENCES "package" (id) ON DELETE CASCADE,
      "owner_id" bigint NOT NULL,
      "type" text NOT NULL,
      "name" text NOT NULL,
      "name_key" text COLLATE "C" NOT NULL,
      "version" text NOT NULL,
      "version_key" text COLLATE "C" NOT NULL,
      "creator_id" bigint REFERENCES "account" (id) ON DELETE SET NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT package_version_version_once UNIQUE ("package_id", "version_key")
    );

CREATE INDEX ON "package_version" ("package_id", id);

CREATE INDEX ON "package_version" ("creator_id");

CREATE TABLE "package_file" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "version_id" bigint NOT NULL REFERENCES "package_version" (id) ON DELETE CASCADE,
      "name" text NOT NULL,
      "name_key" text COLLATE "C" NOT NULL,
      "blob" text COLLATE "C" NOT NULL,
      "size" bigint NOT NULL,
      "md5" text NOT NULL,
      "sha1" text NOT NULL,
      "sha256" text NOT NULL,
      "sha512" text NOT NULL,
      CONSTRAINT package_file_name_once UNIQUE ("version_id", "name_key"),
      CONSTRAINT package_file_blob_once UNIQUE ("blob")
    );

CREATE INDEX ON "package_file" ("version_id", id);

CREATE TABLE "package_link" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "package_id" bigint NOT NULL REFERENCES "package" (id) ON DELETE CASCADE,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      CONSTRAINT package_link_package_once UNIQUE ("package_id")
    );

CREATE INDEX ON "package_link" ("repository_id", id);

CREATE INDEX ON "package_link" ("package_id", id);

CREATE TABLE "npm_manifest" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "version_id" bigint NOT NULL REFERENCES "package_version" (id) ON DELETE CASCADE,
      "manifest" text NOT NULL
    );

CREATE INDEX ON "npm_manifest" ("version_id", id);

CREATE TABLE "npm_tag" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "package_id" bigint NOT NULL REFERENCES "package" (id) ON DELETE CASCADE,
      "tag" text COLLATE "C" NOT NULL,
      "version_id" bigint NOT NULL REFERENCES "package_version" (id) ON DELETE CASCADE,
      CONSTRAINT npm_tag_tag_once UNIQUE ("package_id", "tag")
    );

CREATE INDEX ON "npm_tag" ("package_id", id);

CREATE INDEX ON "npm_tag" ("version_id");

ALTER TABLE package_version
      ADD grams text[] COLLATE "C" GENERATED ALWAYS AS (grams(name_key)) STORED,
      ALTER owner_id SET (n_distinct = 100);

CREATE INDEX package_version_grams ON package_version USING gin (grams) WITH (gin_pending_list_limit = 64);

CREATE INDEX package_version_owner ON package_version (owner_id, id);

CREATE INDEX package_version_type ON package_version (owner_id, type, id);

ALTER TABLE hook_news ALTER repository DROP NOT NULL;
