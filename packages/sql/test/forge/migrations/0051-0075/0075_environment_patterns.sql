ALTER TABLE environment DROP CONSTRAINT environment_branches_check;

ALTER TABLE environment ADD CONSTRAINT environment_branches_check CHECK (branches IN ('all', 'protected', 'selected'));

CREATE TABLE "environment_pattern" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "environment_id" bigint NOT NULL REFERENCES "environment" (id) ON DELETE CASCADE,
      "name" text COLLATE "C" NOT NULL,
      "type" text COLLATE "C" NOT NULL CHECK ("type" IN ('branch', 'tag')),
      CONSTRAINT environment_pattern_name_once UNIQUE ("environment_id", "type", "name")
    );

CREATE INDEX ON "environment_pattern" ("environment_id", id);
