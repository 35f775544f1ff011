ALTER TABLE workflow_job ADD open boolean NOT NULL DEFAULT false;
