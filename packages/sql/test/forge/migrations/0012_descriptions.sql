ALTER TABLE repository ADD description_key text COLLATE "C" NOT NULL DEFAULT '';

UPDATE repository SET description_key = lower(description) WHERE description <> '';
