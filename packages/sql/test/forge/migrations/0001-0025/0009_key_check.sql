CREATE TABLE key_check (id boolean PRIMARY KEY CHECK (id), sealed text NOT NULL);
