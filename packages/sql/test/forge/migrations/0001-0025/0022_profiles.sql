CREATE TABLE "repository_profile" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "avatar" text,
      "language" text NOT NULL,
      "licenses" jsonb NOT NULL,
      CONSTRAINT repository_profile_repository_once UNIQUE ("repository_id")
    );

CREATE INDEX ON "repository_profile" ("repository_id", id);

CREATE TABLE "release_repository_id_count" (
      "repository_id" bigint PRIMARY KEY REFERENCES "repository" (id) ON DELETE CASCADE,
      "releases" bigint NOT NULL
    );

CREATE FUNCTION "release_repository_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "release_repository_id_count" SET "releases" = "release_repository_id_count"."releases" - (OLD."draft" IS NOT DISTINCT FROM false)::int WHERE "repository_id" = OLD."repository_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."repository_id" IS NOT NULL THEN
        INSERT INTO "release_repository_id_count" ("repository_id", "releases") VALUES (NEW."repository_id", (NEW."draft" IS NOT DISTINCT FROM false)::int)
        ON CONFLICT ("repository_id") DO UPDATE SET "releases" = "release_repository_id_count"."releases" + (NEW."draft" IS NOT DISTINCT FROM false)::int;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "release_repository_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "repository_id", "draft" ON "release"
    FOR EACH ROW EXECUTE FUNCTION "release_repository_id_count_changed"();

INSERT INTO release_repository_id_count (repository_id, releases)
      SELECT repository_id, count(*) FILTER (WHERE NOT draft) FROM release GROUP BY repository_id;

ALTER TABLE repository ADD stars bigint NOT NULL DEFAULT 0, ADD forks bigint NOT NULL DEFAULT 0;

UPDATE repository SET stars = counted.stars FROM star_repository_id_count counted
      WHERE counted.repository_id = repository.id;

CREATE FUNCTION count_stars() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          UPDATE repository SET stars = stars + 1 WHERE id = NEW.repository_id;
        ELSE
          UPDATE repository SET stars = stars - 1 WHERE id = OLD.repository_id;
        END IF;
        RETURN NULL;
      END $$;

CREATE TRIGGER stars_are_counted AFTER INSERT OR DELETE ON star FOR EACH ROW EXECUTE FUNCTION count_stars();
