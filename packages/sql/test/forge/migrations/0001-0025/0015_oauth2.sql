CREATE TABLE "oauth2_application" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "secret_hash" text NOT NULL,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "name" text NOT NULL,
      "client_id" text COLLATE "C" NOT NULL,
      "redirect_uris" jsonb NOT NULL,
      "confidential" boolean NOT NULL,
      "skips_consent" boolean NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT oauth2_application_client_id_once UNIQUE ("client_id")
    );

CREATE INDEX ON "oauth2_application" ("user_id", id);
