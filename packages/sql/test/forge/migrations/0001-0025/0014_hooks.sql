CREATE TABLE "hook" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "reach" text COLLATE "C" NOT NULL CHECK ("reach" IN ('repository', 'organization', 'user', 'default', 'system')),
      "repository_id" bigint REFERENCES "repository" (id) ON DELETE CASCADE,
      "organization_id" bigint REFERENCES "organization" (id) ON DELETE CASCADE,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "maker_id" bigint REFERENCES "account" (id) ON DELETE SET NULL,
      "uuid" text NOT NULL,
      "type" text COLLATE "C" NOT NULL CHECK ("type" IN ('gitea', 'forgejo', 'gogs', 'slack', 'discord', 'dingtalk', 'telegram', 'msteams', 'feishu', 'matrix', 'wechatwork', 'packagist')),
      "url" text NOT NULL,
      "content_type" text COLLATE "C" NOT NULL CHECK ("content_type" IN ('json', 'form')),
      "look" jsonb NOT NULL,
      "secret" text,
      "authorization" text,
      "events" jsonb NOT NULL,
      "branch_filter" text NOT NULL,
      "active" boolean NOT NULL,
      "created_at" timestamptz NOT NULL,
      "updated_at" timestamptz NOT NULL
    );

CREATE INDEX ON "hook" ("reach", id);

CREATE INDEX ON "hook" ("repository_id", id);

CREATE INDEX ON "hook" ("organization_id", id);

CREATE INDEX ON "hook" ("user_id", id);

CREATE INDEX ON "hook" ("maker_id");

CREATE TABLE "hook_queue" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "hook_id" bigint NOT NULL REFERENCES "hook" (id) ON DELETE CASCADE,
      "due_at" timestamptz,
      "host" text NOT NULL,
      CONSTRAINT hook_queue_hook_once UNIQUE ("hook_id")
    );

CREATE INDEX ON "hook_queue" ((coalesce("due_at", timestamptz 'infinity')), id);

CREATE INDEX ON "hook_queue" ("due_at", id);

CREATE INDEX ON "hook_queue" ("hook_id");

CREATE TABLE "hook_delivery" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "hook_id" bigint NOT NULL REFERENCES "hook" (id) ON DELETE CASCADE,
      "uuid" text COLLATE "C" NOT NULL,
      "event" text COLLATE "C" NOT NULL CHECK ("event" IN ('create', 'delete', 'fork', 'push', 'issues', 'issue_assign', 'issue_label', 'issue_milestone', 'issue_comment', 'pull_request', 'pull_request_assign', 'pull_request_label', 'pull_request_milestone', 'pull_request_comment', 'pull_request_review_approved', 'pull_request_review_rejected', 'pull_request_review_comment', 'pull_request_sync', 'pull_request_review_request', 'wiki', 'repository', 'release', 'package', 'status', 'workflow_run', 'workflow_job')),
      "payload" text NOT NULL,
      "message" jsonb NOT NULL,
      "state" text COLLATE "C" NOT NULL CHECK ("state" IN ('waiting', 'delivered', 'failed', 'withheld')),
      "attempts" bigint NOT NULL,
      "request" jsonb,
      "answer" jsonb,
      "reason" text NOT NULL,
      "created_at" timestamptz NOT NULL,
      "sent_at" timestamptz,
      CONSTRAINT hook_delivery_uuid_once UNIQUE ("uuid")
    );

CREATE INDEX ON "hook_delivery" ("hook_id", id);

CREATE INDEX ON "hook_delivery" ("hook_id", "state", id);

CREATE INDEX ON "hook_delivery" ("hook_id", "created_at", id);

CREATE TABLE "hook_news" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "event" jsonb NOT NULL,
      "repository" jsonb NOT NULL,
      "before" jsonb NOT NULL
    );
