DROP TRIGGER issue_milestone_id_count_changed ON issue;

DROP FUNCTION issue_milestone_id_count_changed();

DROP TABLE issue_milestone_id_count;

CREATE TABLE "issue_milestone_id_count" (
      "milestone_id" bigint PRIMARY KEY REFERENCES "milestone" (id) ON DELETE CASCADE,
      "issues_open" bigint NOT NULL,
      "issues_closed" bigint NOT NULL,
      "pulls_open" bigint NOT NULL,
      "pulls_closed" bigint NOT NULL
    );

CREATE FUNCTION "issue_milestone_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "issue_milestone_id_count" SET "issues_open" = "issue_milestone_id_count"."issues_open" - (OLD."pull" IS NOT DISTINCT FROM false AND OLD."state" IS NOT DISTINCT FROM 'open')::int, "issues_closed" = "issue_milestone_id_count"."issues_closed" - (OLD."pull" IS NOT DISTINCT FROM false AND OLD."state" IS NOT DISTINCT FROM 'closed')::int, "pulls_open" = "issue_milestone_id_count"."pulls_open" - (OLD."pull" IS NOT DISTINCT FROM true AND OLD."state" IS NOT DISTINCT FROM 'open')::int, "pulls_closed" = "issue_milestone_id_count"."pulls_closed" - (OLD."pull" IS NOT DISTINCT FROM true AND OLD."state" IS NOT DISTINCT FROM 'closed')::int WHERE "milestone_id" = OLD."milestone_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."milestone_id" IS NOT NULL THEN
        INSERT INTO "issue_milestone_id_count" ("milestone_id", "issues_open", "issues_closed", "pulls_open", "pulls_closed") VALUES (NEW."milestone_id", (NEW."pull" IS NOT DISTINCT FROM false AND NEW."state" IS NOT DISTINCT FROM 'open')::int, (NEW."pull" IS NOT DISTINCT FROM false AND NEW."state" IS NOT DISTINCT FROM 'closed')::int, (NEW."pull" IS NOT DISTINCT FROM true AND NEW."state" IS NOT DISTINCT FROM 'open')::int, (NEW."pull" IS NOT DISTINCT FROM true AND NEW."state" IS NOT DISTINCT FROM 'closed')::int)
        ON CONFLICT ("milestone_id") DO UPDATE SET "issues_open" = "issue_milestone_id_count"."issues_open" + (NEW."pull" IS NOT DISTINCT FROM false AND NEW."state" IS NOT DISTINCT FROM 'open')::int, "issues_closed" = "issue_milestone_id_count"."issues_closed" + (NEW."pull" IS NOT DISTINCT FROM false AND NEW."state" IS NOT DISTINCT FROM 'closed')::int, "pulls_open" = "issue_milestone_id_count"."pulls_open" + (NEW."pull" IS NOT DISTINCT FROM true AND NEW."state" IS NOT DISTINCT FROM 'open')::int, "pulls_closed" = "issue_milestone_id_count"."pulls_closed" + (NEW."pull" IS NOT DISTINCT FROM true AND NEW."state" IS NOT DISTINCT FROM 'closed')::int;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "issue_milestone_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "milestone_id", "pull", "state" ON "issue"
    FOR EACH ROW EXECUTE FUNCTION "issue_milestone_id_count_changed"();

INSERT INTO issue_milestone_id_count (milestone_id, issues_open, issues_closed, pulls_open, pulls_closed)
    SELECT milestone_id,
      count(*) FILTER (WHERE NOT pull AND state = 'open'), count(*) FILTER (WHERE NOT pull AND state = 'closed'),
      count(*) FILTER (WHERE pull AND state = 'open'), count(*) FILTER (WHERE pull AND state = 'closed')
    FROM issue WHERE milestone_id IS NOT NULL GROUP BY milestone_id;
