CREATE TABLE "artifact" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "run_id" bigint NOT NULL REFERENCES "workflow_run" (id) ON DELETE CASCADE,
      "commit" text NOT NULL,
      "attempt" bigint NOT NULL,
      "name" text COLLATE "C" NOT NULL,
      "blob" text COLLATE "C" NOT NULL,
      "size" bigint NOT NULL,
      "sha256" text NOT NULL,
      "created_at" timestamptz NOT NULL,
      "expires_at" timestamptz NOT NULL,
      "done" boolean NOT NULL,
      CONSTRAINT artifact_name_once UNIQUE ("run_id", "name"),
      CONSTRAINT artifact_blob_once UNIQUE ("blob")
    );

CREATE INDEX ON "artifact" ("repository_id", id);

CREATE INDEX ON "artifact" ("run_id", id);

CREATE INDEX ON "artifact" ("repository_id", "done", id);

CREATE INDEX ON "artifact" ("repository_id", "name", id);

CREATE INDEX ON "artifact" ("repository_id", "created_at", id);

CREATE TABLE "artifact_block" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "artifact_id" bigint NOT NULL REFERENCES "artifact" (id) ON DELETE CASCADE,
      "name" text COLLATE "C" NOT NULL,
      "blob" text COLLATE "C" NOT NULL,
      "size" bigint NOT NULL,
      "sha256" text NOT NULL,
      "position" bigint,
      CONSTRAINT artifact_block_name_once UNIQUE ("artifact_id", "name"),
      CONSTRAINT artifact_block_blob_once UNIQUE ("blob")
    );

CREATE INDEX ON "artifact_block" ("artifact_id", id);

ALTER TABLE artifact ALTER repository_id SET (n_distinct = 100);

CREATE INDEX artifact_begun ON artifact (created_at) WHERE NOT done;
