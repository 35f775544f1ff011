CREATE TABLE "star" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT star_pair_once UNIQUE ("user_id", "repository_id")
    );

CREATE INDEX ON "star" ("user_id", id);

CREATE INDEX ON "star" ("repository_id", id);

CREATE TABLE "star_repository_id_count" (
      "repository_id" bigint PRIMARY KEY REFERENCES "repository" (id) ON DELETE CASCADE,
      "stars" bigint NOT NULL
    );

CREATE FUNCTION "star_repository_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "star_repository_id_count" SET "stars" = "star_repository_id_count"."stars" - 1 WHERE "repository_id" = OLD."repository_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."repository_id" IS NOT NULL THEN
        INSERT INTO "star_repository_id_count" ("repository_id", "stars") VALUES (NEW."repository_id", 1)
        ON CONFLICT ("repository_id") DO UPDATE SET "stars" = "star_repository_id_count"."stars" + 1;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "star_repository_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "repository_id" ON "star"
    FOR EACH ROW EXECUTE FUNCTION "star_repository_id_count_changed"();

CREATE TABLE "watch" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "watching" boolean NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT watch_pair_once UNIQUE ("user_id", "repository_id")
    );

CREATE INDEX ON "watch" ("user_id", id);

CREATE INDEX ON "watch" ("repository_id", id);

CREATE INDEX ON "watch" ("user_id", "watching", id);

CREATE TABLE "watch_repository_id_count" (
      "repository_id" bigint PRIMARY KEY REFERENCES "repository" (id) ON DELETE CASCADE,
      "watchers" bigint NOT NULL
    );

CREATE FUNCTION "watch_repository_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "watch_repository_id_count" SET "watchers" = "watch_repository_id_count"."watchers" - (OLD."watching" IS NOT DISTINCT FROM true)::int WHERE "repository_id" = OLD."repository_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."repository_id" IS NOT NULL THEN
        INSERT INTO "watch_repository_id_count" ("repository_id", "watchers") VALUES (NEW."repository_id", (NEW."watching" IS NOT DISTINCT FROM true)::int)
        ON CONFLICT ("repository_id") DO UPDATE SET "watchers" = "watch_repository_id_count"."watchers" + (NEW."watching" IS NOT DISTINCT FROM true)::int;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "watch_repository_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "repository_id", "watching" ON "watch"
    FOR EACH ROW EXECUTE FUNCTION "watch_repository_id_count_changed"();
