ALTER TABLE workflow_run
      DROP CONSTRAINT workflow_run_event_check,
      ADD CHECK (event IN ('push', 'pull_request', 'pull_request_target', 'issues', 'issue_comment', 'release', 'create', 'delete', 'workflow_dispatch', 'schedule', 'workflow_run')),
      ADD depth bigint NOT NULL DEFAULT 0;
