ALTER TABLE workflow_job
      ADD fail_fast boolean NOT NULL DEFAULT false,
      ADD max_parallel bigint,
      ADD tolerant boolean NOT NULL DEFAULT false;
