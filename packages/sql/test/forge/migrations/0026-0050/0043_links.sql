ALTER TABLE attachment ADD COLUMN link text;
