CREATE TABLE "protocol_record" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "hash" text COLLATE "C" NOT NULL,
      "model" text COLLATE "C" NOT NULL,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "application_id" bigint REFERENCES "oauth2_application" (id) ON DELETE CASCADE,
      "grant" text COLLATE "C",
      "alias" text COLLATE "C",
      "payload" jsonb NOT NULL,
      "consumed_at" timestamptz,
      "expires_at" timestamptz,
      CONSTRAINT protocol_record_hash_once UNIQUE ("model", "hash"),
      CONSTRAINT protocol_record_alias_once UNIQUE ("model", "alias")
    );

CREATE INDEX ON "protocol_record" ("model", id);

CREATE INDEX ON "protocol_record" ("user_id", id);

CREATE INDEX ON "protocol_record" ("application_id", id);

CREATE INDEX ON "protocol_record" ("grant", id);

CREATE INDEX ON "protocol_record" ("expires_at", id);

ALTER TABLE oauth2_application
      ALTER secret_hash TYPE text COLLATE "C",
      ADD CONSTRAINT oauth2_application_secret_once UNIQUE (secret_hash);

ALTER TABLE access_token
      ADD kind text COLLATE "C" NOT NULL DEFAULT 'personal' CHECK (kind IN ('personal', 'oauth2', 'session')),
      ADD application_id bigint REFERENCES oauth2_application (id) ON DELETE CASCADE,
      ADD grant_key text COLLATE "C",
      ADD origin jsonb NOT NULL DEFAULT '{}';

CREATE INDEX access_token_kind ON access_token (user_id, kind, id);

CREATE INDEX access_token_grant ON access_token (grant_key) WHERE grant_key IS NOT NULL;

CREATE INDEX access_token_application ON access_token (application_id) WHERE application_id IS NOT NULL;

CREATE INDEX access_token_expiry ON access_token (expires_at) WHERE kind <> 'personal';
