CREATE UNLOGGED TABLE request_count (
  caller text PRIMARY KEY,
  used bigint NOT NULL,
  ends_at timestamptz NOT NULL
);
