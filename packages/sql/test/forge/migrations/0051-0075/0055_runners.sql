CREATE TABLE "action_secret" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint REFERENCES "repository" (id) ON DELETE CASCADE,
      "organization_id" bigint REFERENCES "organization" (id) ON DELETE CASCADE,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "holder" text COLLATE "C" NOT NULL,
      "uuid" text NOT NULL,
      "name" text COLLATE "C" NOT NULL,
      "value" text NOT NULL,
      "description" text NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT action_secret_name_once UNIQUE ("holder", "name")
    );

CREATE INDEX ON "action_secret" ("repository_id", "name", id);

CREATE INDEX ON "action_secret" ("organization_id", "name", id);

CREATE INDEX ON "action_secret" ("user_id", "name", id);

CREATE TABLE "action_variable" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint REFERENCES "repository" (id) ON DELETE CASCADE,
      "organization_id" bigint REFERENCES "organization" (id) ON DELETE CASCADE,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "holder" text COLLATE "C" NOT NULL,
      "name" text COLLATE "C" NOT NULL,
      "value" text NOT NULL,
      "description" text NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT action_variable_name_once UNIQUE ("holder", "name")
    );

CREATE INDEX ON "action_variable" ("repository_id", "name", id);

CREATE INDEX ON "action_variable" ("organization_id", "name", id);

CREATE INDEX ON "action_variable" ("user_id", "name", id);

CREATE TABLE "runner" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "token_hash" text COLLATE "C" NOT NULL,
      "reach" text COLLATE "C" NOT NULL CHECK ("reach" IN ('repository', 'organization', 'user', 'site')),
      "repository_id" bigint REFERENCES "repository" (id) ON DELETE CASCADE,
      "organization_id" bigint REFERENCES "organization" (id) ON DELETE CASCADE,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "uuid" text COLLATE "C" NOT NULL,
      "name" text NOT NULL,
      "version" text NOT NULL,
      "labels" jsonb NOT NULL,
      "ephemeral" boolean NOT NULL,
      "disabled" boolean NOT NULL,
      "created_at" timestamptz NOT NULL,
      "last_online_at" timestamptz,
      "last_active_at" timestamptz,
      CONSTRAINT runner_credential_once UNIQUE ("uuid", "token_hash")
    );

CREATE INDEX ON "runner" ("reach", id);

CREATE INDEX ON "runner" ("repository_id", id);

CREATE INDEX ON "runner" ("organization_id", id);

CREATE INDEX ON "runner" ("user_id", id);

CREATE INDEX ON "runner" ("ephemeral", id);

CREATE INDEX ON "runner" ("last_online_at", id);

CREATE TABLE "runner_registration" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "token_hash" text COLLATE "C" NOT NULL,
      "reach" text COLLATE "C" NOT NULL CHECK ("reach" IN ('repository', 'organization', 'user', 'site')),
      "repository_id" bigint REFERENCES "repository" (id) ON DELETE CASCADE,
      "organization_id" bigint REFERENCES "organization" (id) ON DELETE CASCADE,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT runner_registration_token_once UNIQUE ("token_hash")
    );

CREATE INDEX ON "runner_registration" ("reach", id);

CREATE INDEX ON "runner_registration" ("repository_id", id);

CREATE INDEX ON "runner_registration" ("organization_id", id);

CREATE INDEX ON "runner_registration" ("user_id", id);
