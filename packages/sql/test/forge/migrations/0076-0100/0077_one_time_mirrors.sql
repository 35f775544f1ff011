ALTER TABLE mirror RENAME COLUMN once TO one_time;
