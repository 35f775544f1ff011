ALTER TABLE push ADD COLUMN size bigint NOT NULL DEFAULT 0;

CREATE INDEX push_open ON push (repository_id) INCLUDE (size) WHERE NOT settled;
