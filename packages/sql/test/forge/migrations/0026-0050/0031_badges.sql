CREATE TABLE "badge" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "slug" text COLLATE "C" NOT NULL,
      "description" text NOT NULL,
      "image_url" text NOT NULL,
      CONSTRAINT badge_slug_once UNIQUE ("slug")
    );

CREATE INDEX ON "badge" ("slug", id);

CREATE TABLE "user_badge" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "badge_id" bigint NOT NULL REFERENCES "badge" (id) ON DELETE CASCADE,
      CONSTRAINT user_badge_pair_once UNIQUE ("user_id", "badge_id")
    );

CREATE INDEX ON "user_badge" ("user_id", id);

CREATE INDEX ON "user_badge" ("user_id", "badge_id", id);

CREATE INDEX ON "user_badge" ("badge_id");
