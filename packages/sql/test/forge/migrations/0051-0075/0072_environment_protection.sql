ALTER TABLE environment
      ADD reviewers jsonb NOT NULL DEFAULT '{"users": [], "teams": []}',
      ADD wait_minutes bigint NOT NULL DEFAULT 0,
      ADD prevent_self_review boolean NOT NULL DEFAULT false,
      ADD branches text COLLATE "C" NOT NULL DEFAULT 'all' CHECK (branches IN ('all', 'protected'));

ALTER TABLE deployment
      ADD is_by_token boolean NOT NULL DEFAULT false,
      ADD token_id bigint REFERENCES access_token (id) ON DELETE SET NULL;

CREATE INDEX ON deployment (token_id);

CREATE TABLE "deployment_review" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "deployment_id" bigint NOT NULL REFERENCES "deployment" (id) ON DELETE CASCADE,
      "decision" text COLLATE "C" NOT NULL CHECK ("decision" IN ('approved', 'rejected')),
      "comment" text NOT NULL,
      "reviewer_id" bigint REFERENCES "account" (id) ON DELETE SET NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT deployment_review_deployment_once UNIQUE ("deployment_id")
    );

CREATE INDEX ON "deployment_review" ("repository_id", id);

CREATE INDEX ON "deployment_review" ("deployment_id", id);

CREATE INDEX ON "deployment_review" ("reviewer_id");
