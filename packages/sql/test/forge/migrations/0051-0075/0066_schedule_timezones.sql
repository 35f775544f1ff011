ALTER TABLE workflow_schedule ADD timezone text NOT NULL DEFAULT 'UTC';
