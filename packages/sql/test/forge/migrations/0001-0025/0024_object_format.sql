ALTER TABLE repository ADD object_format text NOT NULL DEFAULT 'sha1';
