CREATE TABLE "container_blob" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "digest" text COLLATE "C" NOT NULL,
      "size" bigint NOT NULL,
      "blob" text COLLATE "C" NOT NULL,
      "md5" text NOT NULL,
      "sha1" text NOT NULL,
      "sha512" text NOT NULL,
      "used_at" timestamptz NOT NULL,
      CONSTRAINT container_blob_digest_once UNIQUE ("digest"),
      CONSTRAINT container_blob_blob_once UNIQUE ("blob")
    );

CREATE INDEX ON "container_blob" ("digest", id);

CREATE INDEX ON "container_blob" ("used_at", id);

CREATE TABLE "container_holding" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "blob_id" bigint NOT NULL REFERENCES "container_blob" (id) ON DELETE CASCADE,
      "owner_id" bigint NOT NULL,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "organization_id" bigint REFERENCES "organization" (id) ON DELETE CASCADE,
      "image" text COLLATE "C" NOT NULL,
      "since" timestamptz NOT NULL,
      CONSTRAINT container_holding_image_once UNIQUE ("owner_id", "image", "blob_id")
    );

CREATE INDEX ON "container_holding" ("blob_id", id);

CREATE INDEX ON "container_holding" ("blob_id", "owner_id", id);

CREATE INDEX ON "container_holding" ("blob_id", "image", id);

CREATE INDEX ON "container_holding" ("blob_id", "since", id);

CREATE INDEX ON "container_holding" ("user_id");

CREATE INDEX ON "container_holding" ("organization_id");

CREATE TABLE "container_manifest" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "package_id" bigint NOT NULL REFERENCES "package" (id) ON DELETE CASCADE,
      "digest" text COLLATE "C" NOT NULL,
      "media_type" text NOT NULL,
      "size" bigint NOT NULL,
      "artifact_type" text COLLATE "C",
      "subject" text COLLATE "C",
      "annotations" jsonb NOT NULL,
      "version_id" bigint REFERENCES "package_version" (id) ON DELETE CASCADE,
      CONSTRAINT container_manifest_digest_once UNIQUE ("package_id", "digest"),
      CONSTRAINT container_manifest_version_once UNIQUE ("version_id")
    );

CREATE INDEX ON "container_manifest" ("package_id", id);

CREATE INDEX ON "container_manifest" ("package_id", "subject", id);

CREATE INDEX ON "container_manifest" ("package_id", "artifact_type", id);

CREATE TABLE "container_reference" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "blob_id" bigint NOT NULL REFERENCES "container_blob" (id) ON DELETE CASCADE,
      "manifest_id" bigint NOT NULL REFERENCES "container_manifest" (id) ON DELETE CASCADE,
      "package_id" bigint NOT NULL REFERENCES "package" (id) ON DELETE CASCADE,
      "digest" text NOT NULL
    );

CREATE INDEX ON "container_reference" ("blob_id", id);

CREATE INDEX ON "container_reference" ("manifest_id", id);

CREATE INDEX ON "container_reference" ("blob_id", "package_id", id);

CREATE INDEX ON "container_reference" ("package_id");

CREATE TABLE "container_tag" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "package_id" bigint NOT NULL REFERENCES "package" (id) ON DELETE CASCADE,
      "manifest_id" bigint NOT NULL REFERENCES "container_manifest" (id) ON DELETE CASCADE,
      "version_id" bigint NOT NULL REFERENCES "package_version" (id) ON DELETE CASCADE,
      "tag" text NOT NULL,
      "tag_key" text COLLATE "C" NOT NULL,
      CONSTRAINT container_tag_tag_once UNIQUE ("package_id", "tag_key"),
      CONSTRAINT container_tag_version_once UNIQUE ("version_id")
    );

CREATE INDEX ON "container_tag" ("package_id", "tag_key", id);

CREATE INDEX ON "container_tag" ("manifest_id", "tag_key", id);

CREATE TABLE "container_upload" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "creator_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "owner_id" bigint NOT NULL,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "organization_id" bigint REFERENCES "organization" (id) ON DELETE CASCADE,
      "image" text NOT NULL,
      "uuid" text COLLATE "C" NOT NULL,
      "size" bigint NOT NULL,
      "parts" jsonb NOT NULL,
      "started_at" timestamptz NOT NULL,
      CONSTRAINT container_upload_uuid_once UNIQUE ("uuid")
    );

CREATE INDEX ON "container_upload" ("creator_id", id);

CREATE INDEX ON "container_upload" ("creator_id", "started_at", id);

CREATE INDEX ON "container_upload" ("user_id");

CREATE INDEX ON "container_upload" ("organization_id");
