ALTER TABLE repository ALTER owner_id SET (n_distinct = 100);

ANALYZE repository;

ALTER TABLE star ALTER user_id SET (n_distinct = 100);

ANALYZE star;

ALTER TABLE watch ALTER user_id SET (n_distinct = 100);

ANALYZE watch;
