CREATE TABLE "identity" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "issuer" text COLLATE "C" NOT NULL,
      "subject" text COLLATE "C" NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT identity_subject_once UNIQUE ("issuer", "subject")
    );

CREATE INDEX ON "identity" ("user_id", id);
