CREATE TABLE "commit_status" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "commit" text COLLATE "C" NOT NULL,
      "context" text NOT NULL,
      "state" text COLLATE "C" NOT NULL CHECK ("state" IN ('pending', 'success', 'error', 'failure', 'warning', 'skipped')),
      "description" text NOT NULL,
      "target_url" text NOT NULL,
      "creator_id" bigint REFERENCES "account" (id) ON DELETE SET NULL,
      "created_at" timestamptz NOT NULL,
      "updated_at" timestamptz NOT NULL
    );

CREATE INDEX ON "commit_status" ("repository_id", id);

CREATE INDEX ON "commit_status" ("repository_id", "commit", id);

CREATE INDEX ON "commit_status" ("repository_id", "state", id);

CREATE INDEX ON "commit_status" ("creator_id");

CREATE INDEX commit_status_commit ON commit_status (repository_id, commit, id);
