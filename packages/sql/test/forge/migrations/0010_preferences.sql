ALTER TABLE repository ADD preferences jsonb NOT NULL DEFAULT '{}', ADD archived_at timestamptz;

UPDATE repository SET archived_at = updated_at WHERE archived;
