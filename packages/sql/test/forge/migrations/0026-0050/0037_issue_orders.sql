CREATE INDEX issue_newest ON issue (repository_id, id);

CREATE INDEX issue_updated ON issue (updated_at, id);

CREATE INDEX issue_repository_updated ON issue (repository_id, updated_at, id);

CREATE INDEX label_name ON label (name_key, id);
