CREATE INDEX account_texts ON account (name_key) INCLUDE (id, visibility, full_name_key);
