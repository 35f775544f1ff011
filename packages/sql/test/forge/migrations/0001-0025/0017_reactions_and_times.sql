CREATE TABLE "issue_reaction" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "content" text COLLATE "C" NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT issue_reaction_once_once UNIQUE ("issue_id", "user_id", "content")
    );

CREATE INDEX ON "issue_reaction" ("issue_id", id);

CREATE INDEX ON "issue_reaction" ("user_id");

CREATE TABLE "comment_reaction" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "comment_id" bigint NOT NULL REFERENCES "comment" (id) ON DELETE CASCADE,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "content" text COLLATE "C" NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT comment_reaction_once_once UNIQUE ("comment_id", "user_id", "content")
    );

CREATE INDEX ON "comment_reaction" ("comment_id", id);

CREATE INDEX ON "comment_reaction" ("user_id");

CREATE TABLE "tracked_time" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "seconds" bigint NOT NULL,
      "created_at" timestamptz NOT NULL
    );

CREATE INDEX ON "tracked_time" ("issue_id", id);

CREATE INDEX ON "tracked_time" ("user_id", id);

CREATE INDEX ON "tracked_time" ("issue_id", "user_id", id);

CREATE TABLE "stopwatch" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "started_at" timestamptz NOT NULL,
      CONSTRAINT stopwatch_pair_once UNIQUE ("user_id", "issue_id")
    );

CREATE INDEX ON "stopwatch" ("user_id", id);

CREATE INDEX ON "stopwatch" ("issue_id", id);
