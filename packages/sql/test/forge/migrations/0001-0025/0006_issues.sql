ALTER TABLE label ALTER COLUMN organization_id DROP NOT NULL,
      ADD COLUMN repository_id bigint REFERENCES repository (id) ON DELETE CASCADE;

CREATE INDEX label_repository ON label (repository_id, name_key, id);

CREATE TABLE "milestone" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "title" text NOT NULL,
      "title_key" text COLLATE "C" NOT NULL,
      "description" text NOT NULL,
      "state" text COLLATE "C" NOT NULL CHECK ("state" IN ('open', 'closed')),
      "due_at" timestamptz,
      "closed_at" timestamptz,
      "created_at" timestamptz NOT NULL,
      "updated_at" timestamptz NOT NULL
    );

CREATE INDEX ON "milestone" ("repository_id", (coalesce("due_at", timestamptz 'infinity')), "title_key", id);

CREATE INDEX ON "milestone" ("repository_id", "state", (coalesce("due_at", timestamptz 'infinity')), "title_key", id);

CREATE INDEX ON "milestone" ("repository_id", "title_key", (coalesce("due_at", timestamptz 'infinity')), id);

CREATE TABLE "issue" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "number" bigint NOT NULL,
      "pull" boolean NOT NULL,
      "title" text NOT NULL,
      "body" text NOT NULL,
      "content_version" bigint NOT NULL,
      "state" text COLLATE "C" NOT NULL CHECK ("state" IN ('open', 'closed')),
      "author_id" bigint NOT NULL,
      "milestone_id" bigint REFERENCES "milestone" (id) ON DELETE SET NULL,
      "ref" text NOT NULL,
      "locked" boolean NOT NULL,
      "lock_reason" text NOT NULL,
      "pin_order" bigint NOT NULL,
      "time_estimate" bigint NOT NULL,
      "due_at" timestamptz,
      "closed_at" timestamptz,
      "created_at" timestamptz NOT NULL,
      "updated_at" timestamptz NOT NULL
    );

CREATE INDEX ON "issue" ("repository_id", "number", id);

CREATE INDEX ON "issue" ("repository_id", "state", "number", id);

CREATE INDEX ON "issue" ("repository_id", "pull", "number", id);

CREATE INDEX ON "issue" ("repository_id", "milestone_id", "number", id);

CREATE INDEX ON "issue" ("repository_id", "author_id", "number", id);

CREATE INDEX ON "issue" ("milestone_id");

CREATE TABLE "issue_number" (
      "repository_id" bigint PRIMARY KEY REFERENCES "repository" (id) ON DELETE CASCADE,
      last bigint NOT NULL
    );

CREATE UNIQUE INDEX ON "issue" ("repository_id", "number");

CREATE TABLE "issue_repository_id_count" (
      "repository_id" bigint PRIMARY KEY REFERENCES "repository" (id) ON DELETE CASCADE,
      "open_issues" bigint NOT NULL,
      "open_pulls" bigint NOT NULL
    );

CREATE FUNCTION "issue_repository_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "issue_repository_id_count" SET "open_issues" = "issue_repository_id_count"."open_issues" - (OLD."pull" IS NOT DISTINCT FROM false AND OLD."state" IS NOT DISTINCT FROM 'open')::int, "open_pulls" = "issue_repository_id_count"."open_pulls" - (OLD."pull" IS NOT DISTINCT FROM true AND OLD."state" IS NOT DISTINCT FROM 'open')::int WHERE "repository_id" = OLD."repository_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."repository_id" IS NOT NULL THEN
        INSERT INTO "issue_repository_id_count" ("repository_id", "open_issues", "open_pulls") VALUES (NEW."repository_id", (NEW."pull" IS NOT DISTINCT FROM false AND NEW."state" IS NOT DISTINCT FROM 'open')::int, (NEW."pull" IS NOT DISTINCT FROM true AND NEW."state" IS NOT DISTINCT FROM 'open')::int)
        ON CONFLICT ("repository_id") DO UPDATE SET "open_issues" = "issue_repository_id_count"."open_issues" + (NEW."pull" IS NOT DISTINCT FROM false AND NEW."state" IS NOT DISTINCT FROM 'open')::int, "open_pulls" = "issue_repository_id_count"."open_pulls" + (NEW."pull" IS NOT DISTINCT FROM true AND NEW."state" IS NOT DISTINCT FROM 'open')::int;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "issue_repository_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "repository_id", "pull", "state" ON "issue"
    FOR EACH ROW EXECUTE FUNCTION "issue_repository_id_count_changed"();

CREATE TABLE "issue_milestone_id_count" (
      "milestone_id" bigint PRIMARY KEY REFERENCES "milestone" (id) ON DELETE CASCADE,
      "open" bigint NOT NULL,
      "closed" bigint NOT NULL
    );

CREATE FUNCTION "issue_milestone_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "issue_milestone_id_count" SET "open" = "issue_milestone_id_count"."open" - (OLD."state" IS NOT DISTINCT FROM 'open')::int, "closed" = "issue_milestone_id_count"."closed" - (OLD."state" IS NOT DISTINCT FROM 'closed')::int WHERE "milestone_id" = OLD."milestone_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."milestone_id" IS NOT NULL THEN
        INSERT INTO "issue_milestone_id_count" ("milestone_id", "open", "closed") VALUES (NEW."milestone_id", (NEW."state" IS NOT DISTINCT FROM 'open')::int, (NEW."state" IS NOT DISTINCT FROM 'closed')::int)
        ON CONFLICT ("milestone_id") DO UPDATE SET "open" = "issue_milestone_id_count"."open" + (NEW."state" IS NOT DISTINCT FROM 'open')::int, "closed" = "issue_milestone_id_count"."closed" + (NEW."state" IS NOT DISTINCT FROM 'closed')::int;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "issue_milestone_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "milestone_id", "state" ON "issue"
    FOR EACH ROW EXECUTE FUNCTION "issue_milestone_id_count_changed"();

CREATE TABLE "comment" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "author_id" bigint NOT NULL,
      "body" text NOT NULL,
      "content_version" bigint NOT NULL,
      "created_at" timestamptz NOT NULL,
      "updated_at" timestamptz NOT NULL
    );

CREATE INDEX ON "comment" ("issue_id", id);

CREATE INDEX ON "comment" ("repository_id", id);

CREATE INDEX ON "comment" ("issue_id", "updated_at", id);

CREATE TABLE "comment_issue_id_count" (
      "issue_id" bigint PRIMARY KEY REFERENCES "issue" (id) ON DELETE CASCADE,
      "comments" bigint NOT NULL
    );

CREATE FUNCTION "comment_issue_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "comment_issue_id_count" SET "comments" = "comment_issue_id_count"."comments" - 1 WHERE "issue_id" = OLD."issue_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."issue_id" IS NOT NULL THEN
        INSERT INTO "comment_issue_id_count" ("issue_id", "comments") VALUES (NEW."issue_id", 1)
        ON CONFLICT ("issue_id") DO UPDATE SET "comments" = "comment_issue_id_count"."comments" + 1;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "comment_issue_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "issue_id" ON "comment"
    FOR EACH ROW EXECUTE FUNCTION "comment_issue_id_count_changed"();

CREATE TABLE "issue_label" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "label_id" bigint NOT NULL REFERENCES "label" (id) ON DELETE CASCADE,
      CONSTRAINT issue_label_pair_once UNIQUE ("issue_id", "label_id")
    );

CREATE INDEX ON "issue_label" ("issue_id", id);

CREATE INDEX ON "issue_label" ("label_id", id);

CREATE INDEX ON "issue_label" ("issue_id", "label_id", id);

CREATE TABLE "assignee" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      CONSTRAINT assignee_pair_once UNIQUE ("issue_id", "user_id")
    );

CREATE INDEX ON "assignee" ("issue_id", id);

CREATE INDEX ON "assignee" ("user_id", id);

CREATE INDEX ON "assignee" ("issue_id", "user_id", id);

CREATE TABLE "mention" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "user_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      CONSTRAINT mention_pair_once UNIQUE ("issue_id", "user_id")
    );

CREATE INDEX ON "mention" ("issue_id", id);

CREATE INDEX ON "mention" ("user_id", id);

CREATE TABLE "dependency" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "depends_on_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      CONSTRAINT dependency_pair_once UNIQUE ("issue_id", "depends_on_id")
    );

CREATE INDEX ON "dependency" ("issue_id", id);

CREATE INDEX ON "dependency" ("depends_on_id", id);

CREATE TABLE "content_revision" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "comment_id" bigint REFERENCES "comment" (id) ON DELETE CASCADE,
      "version" bigint NOT NULL,
      "editor_id" bigint NOT NULL,
      "body" text NOT NULL,
      "replaced_at" timestamptz NOT NULL
    );

CREATE INDEX ON "content_revision" ("issue_id", "version", id);

CREATE INDEX ON "content_revision" ("comment_id");

CREATE TABLE "timeline_event" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "type" text COLLATE "C" NOT NULL CHECK ("type" IN ('reopen', 'close', 'issue_ref', 'commit_ref', 'comment_ref', 'pull_ref', 'label', 'milestone', 'assignees', 'change_title', 'delete_branch', 'start_tracking', 'stop_tracking', 'add_time_manual', 'cancel_tracking', 'delete_time_manual', 'change_time_estimate', 'added_deadline', 'modified_deadline', 'removed_deadline', 'add_dependency', 'remove_dependency', 'review', 'dismiss_review', 'review_request', 'lock', 'unlock', 'pin', 'unpin', 'change_target_branch', 'change_issue_ref', 'merge_pull', 'pull_push', 'pull_scheduled_merge', 'pull_cancel_scheduled_merge')),
      "actor_id" bigint NOT NULL,
      "other_issue_id" bigint REFERENCES "issue" (id) ON DELETE CASCADE,
      "other_comment_id" bigint REFERENCES "comment" (id) ON DELETE CASCADE,
      "source_repository_id" bigint REFERENCES "repository" (id) ON DELETE CASCADE,
      "source_unit" text COLLATE "C" CHECK ("source_unit" IN ('repo.code', 'repo.issues', 'repo.pulls')),
      "details" jsonb NOT NULL,
      "created_at" timestamptz NOT NULL
    );

CREATE INDEX ON "timeline_event" ("issue_id", "created_at", id);

CREATE INDEX ON "timeline_event" ("other_issue_id", "created_at", id);

CREATE INDEX ON "timeline_event" ("issue_id", "type", "created_at", id);

CREATE INDEX ON "timeline_event" ("other_comment_id");

CREATE INDEX ON "timeline_event" ("source_repository_id");

CREATE TABLE issue_words (
      issue_id bigint PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE,
      words tsvector NOT NULL
    );

CREATE INDEX issue_words_words ON issue_words USING gin (words);

CREATE FUNCTION issue_words_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO issue_words (issue_id, words)
      VALUES (NEW.id, to_tsvector('simple', left(NEW.title, 1000) || ' ' || left(NEW.body, 100000)))
      ON CONFLICT (issue_id) DO UPDATE SET words = excluded.words;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER issue_words_changed AFTER INSERT OR UPDATE OF title, body ON issue
    FOR EACH ROW EXECUTE FUNCTION issue_words_changed();

CREATE INDEX issue_open ON issue (repository_id, pull, state, number);

CREATE INDEX issue_author ON issue (author_id, id);
