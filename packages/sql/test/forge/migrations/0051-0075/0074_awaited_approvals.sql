ALTER TABLE account ADD awaits_approval boolean NOT NULL DEFAULT false;
