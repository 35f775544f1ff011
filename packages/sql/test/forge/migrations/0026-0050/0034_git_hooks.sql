CREATE TABLE "git_hook" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "name" text COLLATE "C" NOT NULL,
      "content" text NOT NULL,
      CONSTRAINT git_hook_name_once UNIQUE ("repository_id", "name")
    );

CREATE INDEX ON "git_hook" ("repository_id", id);

CREATE INDEX ON "git_hook" ("repository_id", "name", id);
