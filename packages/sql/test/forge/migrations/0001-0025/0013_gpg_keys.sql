CREATE TABLE "gpg_key" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "primary_key_id" text COLLATE "C" NOT NULL,
      "key_id" text COLLATE "C" NOT NULL,
      "public_key" text NOT NULL,
      "emails" jsonb NOT NULL,
      "can_sign" boolean NOT NULL,
      "can_encrypt_comms" boolean NOT NULL,
      "can_encrypt_storage" boolean NOT NULL,
      "can_certify" boolean NOT NULL,
      "verified" boolean NOT NULL,
      "created_at" timestamptz NOT NULL,
      "expires_at" timestamptz,
      CONSTRAINT gpg_key_key_id_once UNIQUE ("key_id")
    );

CREATE INDEX ON "gpg_key" ("user_id", id);

CREATE INDEX ON "gpg_key" ("user_id", "primary_key_id", id);
