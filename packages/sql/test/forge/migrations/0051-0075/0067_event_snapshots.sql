ALTER TABLE hook_news ADD COLUMN "after" jsonb NOT NULL DEFAULT '{}';
