ALTER TABLE repository ALTER owner_id SET (n_distinct = 100);

ANALYZE repository;
