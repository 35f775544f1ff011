CREATE FUNCTION count_forks() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN UPDATE repository SET forks = forks - 1 WHERE id = OLD.parent_id; END IF;
        IF TG_OP <> 'DELETE' THEN UPDATE repository SET forks = forks + 1 WHERE id = NEW.parent_id; END IF;
        RETURN NULL;
      END $$;

CREATE TABLE "fork" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "parent_id" bigint REFERENCES "repository" (id) ON DELETE SET NULL,
      "owner_id" bigint,
      CONSTRAINT fork_repository_once UNIQUE ("repository_id"),
      CONSTRAINT fork_owner_once UNIQUE ("parent_id", "owner_id")
    );

CREATE INDEX ON "fork" ("parent_id", id);

CREATE INDEX ON "fork" ("repository_id", id);

CREATE TABLE "fork_parent_id_count" (
      "parent_id" bigint PRIMARY KEY REFERENCES "repository" (id) ON DELETE CASCADE,
      "forks" bigint NOT NULL
    );

CREATE FUNCTION "fork_parent_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "fork_parent_id_count" SET "forks" = "fork_parent_id_count"."forks" - 1 WHERE "parent_id" = OLD."parent_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."parent_id" IS NOT NULL THEN
        INSERT INTO "fork_parent_id_count" ("parent_id", "forks") VALUES (NEW."parent_id", 1)
        ON CONFLICT ("parent_id") DO UPDATE SET "forks" = "fork_parent_id_count"."forks" + 1;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "fork_parent_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "parent_id" ON "fork"
    FOR EACH ROW EXECUTE FUNCTION "fork_parent_id_count_changed"();

CREATE TABLE "transfer" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "doer_id" bigint REFERENCES "account" (id) ON DELETE SET NULL,
      "user_id" bigint REFERENCES "account" (id) ON DELETE CASCADE,
      "organization_id" bigint REFERENCES "organization" (id) ON DELETE CASCADE,
      "team_ids" jsonb NOT NULL,
      "lent" boolean NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT transfer_repository_once UNIQUE ("repository_id")
    );

CREATE INDEX ON "transfer" ("user_id", id);

CREATE INDEX ON "transfer" ("repository_id", id);

CREATE INDEX ON "transfer" ("doer_id");

CREATE INDEX ON "transfer" ("organization_id");

CREATE TRIGGER forks_are_counted AFTER INSERT OR DELETE OR UPDATE OF parent_id ON fork
      FOR EACH ROW EXECUTE FUNCTION count_forks();

ALTER TABLE merge_plan ADD push_id bigint;

ALTER TABLE merge_plan ALTER head_sha TYPE text COLLATE "C";

CREATE INDEX ON merge_plan (repository_id, head_sha, id);
