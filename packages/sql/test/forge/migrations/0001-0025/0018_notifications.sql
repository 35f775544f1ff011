CREATE TABLE "notification" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "comment_id" bigint REFERENCES "comment" (id) ON DELETE SET NULL,
      "status" text COLLATE "C" NOT NULL CHECK ("status" IN ('unread', 'read', 'pinned')),
      "updated_at" timestamptz NOT NULL,
      CONSTRAINT notification_thread_once UNIQUE ("user_id", "issue_id")
    );

CREATE INDEX ON "notification" ("user_id", id);

CREATE INDEX ON "notification" ("repository_id", id);

CREATE INDEX ON "notification" ("issue_id", id);

CREATE INDEX ON "notification" ("comment_id");

CREATE TABLE "issue_subscription" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "subscribed" boolean NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT issue_subscription_pair_once UNIQUE ("issue_id", "user_id")
    );

CREATE INDEX ON "issue_subscription" ("issue_id", id);

CREATE INDEX ON "issue_subscription" ("user_id", id);

CREATE INDEX ON "issue_subscription" ("issue_id", "subscribed", id);

CREATE INDEX notification_latest ON notification (user_id, status, updated_at, id);
