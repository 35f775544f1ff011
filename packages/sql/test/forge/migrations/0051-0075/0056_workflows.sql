CREATE TABLE "workflow_run" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "cause" text COLLATE "C" NOT NULL,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "owner_id" bigint NOT NULL,
      "number" bigint NOT NULL,
      "name" text NOT NULL,
      "workflow" text COLLATE "C" NOT NULL,
      "path" text NOT NULL,
      "title" text NOT NULL,
      "event" text COLLATE "C" NOT NULL CHECK ("event" IN ('push', 'pull_request', 'pull_request_target', 'issues', 'issue_comment', 'release', 'create', 'delete', 'workflow_dispatch', 'schedule')),
      "ref" text COLLATE "C" NOT NULL,
      "commit" text COLLATE "C" NOT NULL,
      "actor_id" bigint REFERENCES "account" (id) ON DELETE SET NULL,
      "trusted" boolean NOT NULL,
      "status" text COLLATE "C" NOT NULL CHECK ("status" IN ('blocked', 'waiting', 'running', 'done')),
      "conclusion" text COLLATE "C" CHECK ("conclusion" IN ('success', 'failure', 'cancelled', 'skipped')),
      "attempt" bigint NOT NULL,
      "created_at" timestamptz NOT NULL,
      "started_at" timestamptz,
      "stopped_at" timestamptz,
      CONSTRAINT workflow_run_cause_once UNIQUE ("repository_id", "cause")
    );

CREATE INDEX ON "workflow_run" ("repository_id", id);

CREATE INDEX ON "workflow_run" ("repository_id", "workflow", id);

CREATE INDEX ON "workflow_run" ("repository_id", "event", id);

CREATE INDEX ON "workflow_run" ("repository_id", "ref", id);

CREATE INDEX ON "workflow_run" ("repository_id", "commit", id);

CREATE INDEX ON "workflow_run" ("repository_id", "actor_id", id);

CREATE INDEX ON "workflow_run" ("repository_id", "status", id);

CREATE INDEX ON "workflow_run" ("repository_id", "conclusion", id);

CREATE INDEX ON "workflow_run" ("repository_id", "owner_id", id);

CREATE INDEX ON "workflow_run" ("repository_id", "created_at", id);

CREATE INDEX ON "workflow_run" ("actor_id");

CREATE TABLE "workflow_run_number" (
      "repository_id" bigint PRIMARY KEY REFERENCES "repository" (id) ON DELETE CASCADE,
      last bigint NOT NULL
    );

CREATE UNIQUE INDEX ON "workflow_run" ("repository_id", "number");

CREATE TABLE "workflow_source" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "run_id" bigint NOT NULL REFERENCES "workflow_run" (id) ON DELETE CASCADE,
      "workflow" text NOT NULL,
      "payload" text NOT NULL,
      CONSTRAINT workflow_source_run_once UNIQUE ("run_id")
    );

CREATE INDEX ON "workflow_source" ("repository_id", id);

CREATE TABLE "workflow_switch" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "workflow" text COLLATE "C" NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT workflow_switch_workflow_once UNIQUE ("repository_id", "workflow")
    );

CREATE INDEX ON "workflow_switch" ("repository_id", id);

CREATE TABLE "workflow_schedule" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "workflow" text NOT NULL,
      "schedule" text NOT NULL,
      "due_at" timestamptz NOT NULL
    );

CREATE INDEX ON "workflow_schedule" ("repository_id", "due_at", id);

CREATE TABLE "workflow_job" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "owner_id" bigint NOT NULL,
      "run_id" bigint NOT NULL REFERENCES "workflow_run" (id) ON DELETE CASCADE,
      "attempt" bigint NOT NULL,
      "latest" boolean NOT NULL,
      "slot" bigint NOT NULL,
      "key" text NOT NULL,
      "name" text NOT NULL,
      "needs" jsonb NOT NULL,
      "runs_on" jsonb NOT NULL,
      "matrix" jsonb NOT NULL,
      "persistent" boolean NOT NULL,
      "status" text COLLATE "C" NOT NULL CHECK ("status" IN ('blocked', 'waiting', 'running', 'done')),
      "conclusion" text COLLATE "C" CHECK ("conclusion" IN ('success', 'failure', 'cancelled', 'skipped')),
      "runner_id" bigint,
      "runner_name" text NOT NULL,
      "steps" jsonb NOT NULL,
      "outputs" jsonb NOT NULL,
      "created_at" timestamptz NOT NULL,
      "started_at" timestamptz,
      "stopped_at" timestamptz,
      "alive_at" timestamptz,
      "log_lines" bigint NOT NULL,
      "log_size" bigint NOT NULL,
      "log_done" boolean NOT NULL
    );

CREATE INDEX ON "workflow_job" ("repository_id", id);

CREATE INDEX ON "workflow_job" ("run_id", id);

CREATE INDEX ON "workflow_job" ("repository_id", "status", id);

CREATE INDEX ON "workflow_job" ("repository_id", "conclusion", id);

CREATE INDEX ON "workflow_job" ("repository_id", "attempt", id);

CREATE INDEX ON "workflow_job" ("repository_id", "latest", id);

CREATE INDEX ON "workflow_job" ("repository_id", "runner_id", id);

CREATE INDEX ON "workflow_job" ("repository_id", "owner_id", id);

CREATE INDEX ON "workflow_job" ("repository_id", "alive_at", id);

CREATE INDEX ON "workflow_job" ("repository_id", "created_at", id);

CREATE TABLE "workflow_log" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "job_id" bigint NOT NULL REFERENCES "workflow_job" (id) ON DELETE CASCADE,
      "start" bigint NOT NULL,
      "lines" bigint NOT NULL,
      "text" text NOT NULL,
      CONSTRAINT workflow_log_start_once UNIQUE ("job_id", "start")
    );

CREATE INDEX ON "workflow_log" ("job_id", "start", id);

ALTER TABLE workflow_run ALTER repository_id SET (n_distinct = 100), ALTER owner_id SET (n_distinct = 100);

CREATE INDEX ON workflow_run (owner_id, id);

CREATE INDEX ON workflow_run (status, id);

CREATE INDEX ON workflow_run (conclusion, id);

CREATE INDEX ON workflow_run (owner_id, status, id);

CREATE INDEX ON workflow_run (owner_id, conclusion, id);

CREATE INDEX ON workflow_run (created_at);

ALTER TABLE workflow_job ALTER repository_id SET (n_distinct = 100), ALTER owner_id SET (n_distinct = 100);

CREATE INDEX ON workflow_job (owner_id, id);

CREATE INDEX ON workflow_job (status, id);

CREATE INDEX ON workflow_job (conclusion, id);

CREATE INDEX ON workflow_job (owner_id, status, id);

CREATE INDEX ON workflow_job (owner_id, conclusion, id);

CREATE INDEX ON workflow_job (created_at);

CREATE INDEX ON workflow_run (commit, id);

CREATE INDEX ON workflow_run (actor_id, id);

CREATE INDEX ON workflow_run (event, id);

CREATE INDEX ON workflow_run (ref, id);

CREATE INDEX ON workflow_run (owner_id, event, id);

CREATE INDEX ON workflow_run (owner_id, ref, id);

CREATE INDEX workflow_job_alive ON workflow_job (alive_at) WHERE status = 'running';

CREATE INDEX workflow_schedule_due ON workflow_schedule (due_at);
