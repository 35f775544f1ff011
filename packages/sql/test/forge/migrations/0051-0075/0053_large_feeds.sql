ALTER TABLE activity ALTER actor_id SET (n_distinct = 25);

ALTER TABLE activity ALTER organization_id SET (n_distinct = 25);

ALTER TABLE activity ALTER repository_id SET (n_distinct = 25);

ANALYZE activity;
