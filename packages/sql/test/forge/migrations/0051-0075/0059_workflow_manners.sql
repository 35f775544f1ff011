ALTER TABLE workflow_run
      ADD "group" text,
      ADD cancels boolean NOT NULL DEFAULT false;

ALTER TABLE workflow_source ADD called text NOT NULL DEFAULT '{}';

ALTER TABLE workflow_job
      ADD caller bigint,
      ADD calls text NOT NULL DEFAULT '',
      ADD fail_fast boolean NOT NULL DEFAULT false,
      ADD max_parallel bigint,
      ADD tolerant boolean NOT NULL DEFAULT false,
      ADD "group" text,
      ADD cancels boolean NOT NULL DEFAULT false;

CREATE TABLE "workflow_turn" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "group" text COLLATE "C" NOT NULL,
      "run_id" bigint NOT NULL REFERENCES "workflow_run" (id) ON DELETE CASCADE,
      "slot" bigint,
      "cancels" boolean NOT NULL,
      "holds" text COLLATE "C",
      CONSTRAINT workflow_turn_holder_once UNIQUE ("repository_id", "holds")
    );

CREATE INDEX ON "workflow_turn" ("repository_id", id);

CREATE INDEX ON "workflow_turn" ("run_id", id);

CREATE INDEX ON "workflow_turn" ("repository_id", "group", id);
