CREATE TABLE "copying" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "service" text COLLATE "C" NOT NULL CHECK ("service" IN ('gitea', 'github')),
      "user_id" bigint NOT NULL,
      "labels" boolean NOT NULL,
      "milestones" boolean NOT NULL,
      "issues" boolean NOT NULL,
      "pulls" boolean NOT NULL,
      "releases" boolean NOT NULL,
      "copied" bigint NOT NULL,
      "done_at" timestamptz,
      CONSTRAINT copying_repository_once UNIQUE ("repository_id")
    );

CREATE INDEX ON "copying" ("repository_id", id);

CREATE TABLE "origin" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "comment_id" bigint REFERENCES "comment" (id) ON DELETE CASCADE,
      "kind" text COLLATE "C" NOT NULL,
      "original_id" bigint NOT NULL,
      "author" text NOT NULL,
      "author_id" bigint NOT NULL,
      CONSTRAINT origin_original_once UNIQUE ("repository_id", "kind", "original_id")
    );

CREATE INDEX ON "origin" ("issue_id", id);

CREATE INDEX ON "origin" ("repository_id", id);

CREATE INDEX ON "origin" ("comment_id", id);

CREATE INDEX ON "origin" ("issue_id", "kind", id);
