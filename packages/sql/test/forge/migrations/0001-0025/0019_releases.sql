CREATE TABLE "release" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "author_id" bigint REFERENCES "account" (id) ON DELETE SET NULL,
      "tag" text COLLATE "C" NOT NULL,
      "target" text NOT NULL,
      "title" text NOT NULL,
      "body" text NOT NULL,
      "draft" boolean NOT NULL,
      "prerelease" boolean NOT NULL,
      "created_at" timestamptz NOT NULL,
      "published_at" timestamptz,
      CONSTRAINT release_tag_once UNIQUE ("repository_id", "tag")
    );

CREATE INDEX ON "release" ("repository_id", "created_at", id);

CREATE INDEX ON "release" ("repository_id", (coalesce("published_at", timestamptz 'infinity')), id);

CREATE INDEX ON "release" ("repository_id", "draft", "created_at", id);

CREATE INDEX ON "release" ("repository_id", "prerelease", "created_at", id);

CREATE INDEX ON "release" ("author_id");
