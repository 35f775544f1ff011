CREATE TABLE "spent_signature" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "hash" text COLLATE "C" NOT NULL,
      "expires_at" timestamptz NOT NULL,
      CONSTRAINT spent_signature_hash_once UNIQUE ("hash")
    );

CREATE INDEX ON "spent_signature" ("expires_at", id);
