ALTER TABLE pull_request ADD COLUMN pushed_by bigint;
