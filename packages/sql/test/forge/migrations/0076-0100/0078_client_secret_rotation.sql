ALTER TABLE oauth2_application
      ADD successor_hash text COLLATE "C",
      ADD CONSTRAINT oauth2_application_successor_once UNIQUE (successor_hash);
