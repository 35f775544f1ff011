ALTER TABLE runner_registration ADD COLUMN maker_id bigint REFERENCES account (id) ON DELETE SET NULL;

CREATE INDEX ON runner_registration (maker_id);

ALTER TABLE artifact ADD COLUMN type text NOT NULL DEFAULT 'application/zip';

ALTER TABLE artifact ALTER type DROP DEFAULT;
