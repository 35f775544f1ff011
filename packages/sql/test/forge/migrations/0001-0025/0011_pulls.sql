CREATE TABLE "pull_request" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "head_repository_id" bigint REFERENCES "repository" (id) ON DELETE SET NULL,
      "head_owner" text NOT NULL,
      "head_branch" text COLLATE "C" NOT NULL,
      "head_sha" text NOT NULL,
      "base_branch" text COLLATE "C" NOT NULL,
      "base_sha" text NOT NULL,
      "merge_base" text NOT NULL,
      "base_version" bigint NOT NULL,
      "open" boolean NOT NULL,
      "open_between" text COLLATE "C",
      "allow_maintainer_edit" boolean NOT NULL,
      "merged" boolean NOT NULL,
      "merged_at" timestamptz,
      "merger_id" bigint,
      "merge_commit" text COLLATE "C",
      "check" text COLLATE "C" NOT NULL CHECK ("check" IN ('checking', 'fits', 'conflicts', 'contained')),
      "conflicts" jsonb NOT NULL,
      "behind" bigint NOT NULL,
      "additions" bigint NOT NULL,
      "deletions" bigint NOT NULL,
      "changed_files" bigint NOT NULL,
      CONSTRAINT pull_request_issue_once UNIQUE ("issue_id"),
      CONSTRAINT pull_request_between_once UNIQUE ("repository_id", "open_between")
    );

CREATE INDEX ON "pull_request" ("repository_id", id);

CREATE INDEX ON "pull_request" ("issue_id", id);

CREATE INDEX ON "pull_request" ("head_repository_id", id);

CREATE INDEX ON "pull_request" ("repository_id", "open", id);

CREATE INDEX ON "pull_request" ("repository_id", "head_branch", id);

CREATE INDEX ON "pull_request" ("repository_id", "base_branch", id);

CREATE INDEX ON "pull_request" ("repository_id", "merge_commit", id);

CREATE TABLE "review" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "reviewer_id" bigint REFERENCES "account" (id) ON DELETE SET NULL,
      "team_id" bigint REFERENCES "team" (id) ON DELETE CASCADE,
      "state" text COLLATE "C" NOT NULL CHECK ("state" IN ('pending', 'approved', 'rejected', 'commented', 'requested')),
      "body" text NOT NULL,
      "commit" text NOT NULL,
      "base_version" bigint NOT NULL,
      "official" boolean NOT NULL,
      "dismissed" boolean NOT NULL,
      "submitted_at" timestamptz NOT NULL,
      "updated_at" timestamptz NOT NULL
    );

CREATE INDEX ON "review" ("issue_id", "submitted_at", id);

CREATE INDEX ON "review" ("repository_id", "submitted_at", id);

CREATE INDEX ON "review" ("issue_id", "state", "submitted_at", id);

CREATE INDEX ON "review" ("issue_id", "reviewer_id", "submitted_at", id);

CREATE INDEX ON "review" ("issue_id", "team_id", "submitted_at", id);

CREATE INDEX ON "review" ("reviewer_id");

CREATE INDEX ON "review" ("team_id");

CREATE TABLE "review_comment" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "review_id" bigint NOT NULL REFERENCES "review" (id) ON DELETE CASCADE,
      "author_id" bigint NOT NULL,
      "replies_to_id" bigint REFERENCES "review_comment" (id) ON DELETE CASCADE,
      "path" text NOT NULL,
      "side" text COLLATE "C" NOT NULL CHECK ("side" IN ('old', 'new')),
      "original_line" bigint NOT NULL,
      "line" bigint NOT NULL,
      "original_commit" text NOT NULL,
      "commit" text NOT NULL,
      "hunk" text NOT NULL,
      "body" text NOT NULL,
      "resolver_id" bigint,
      "created_at" timestamptz NOT NULL,
      "updated_at" timestamptz NOT NULL
    );

CREATE INDEX ON "review_comment" ("issue_id", id);

CREATE INDEX ON "review_comment" ("repository_id", id);

CREATE INDEX ON "review_comment" ("review_id", id);

CREATE INDEX ON "review_comment" ("replies_to_id");

CREATE TABLE "review_comment_review_id_count" (
      "review_id" bigint PRIMARY KEY REFERENCES "review" (id) ON DELETE CASCADE,
      "comments" bigint NOT NULL
    );

CREATE FUNCTION "review_comment_review_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "review_comment_review_id_count" SET "comments" = "review_comment_review_id_count"."comments" - 1 WHERE "review_id" = OLD."review_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."review_id" IS NOT NULL THEN
        INSERT INTO "review_comment_review_id_count" ("review_id", "comments") VALUES (NEW."review_id", 1)
        ON CONFLICT ("review_id") DO UPDATE SET "comments" = "review_comment_review_id_count"."comments" + 1;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "review_comment_review_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "review_id" ON "review_comment"
    FOR EACH ROW EXECUTE FUNCTION "review_comment_review_id_count_changed"();

CREATE TABLE "review_comment_issue_id_count" (
      "issue_id" bigint PRIMARY KEY REFERENCES "issue" (id) ON DELETE CASCADE,
      "review_comments" bigint NOT NULL
    );

CREATE FUNCTION "review_comment_issue_id_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        UPDATE "review_comment_issue_id_count" SET "review_comments" = "review_comment_issue_id_count"."review_comments" - 1 WHERE "issue_id" = OLD."issue_id";
      END IF;
      IF TG_OP <> 'DELETE' AND NEW."issue_id" IS NOT NULL THEN
        INSERT INTO "review_comment_issue_id_count" ("issue_id", "review_comments") VALUES (NEW."issue_id", 1)
        ON CONFLICT ("issue_id") DO UPDATE SET "review_comments" = "review_comment_issue_id_count"."review_comments" + 1;
      END IF;
      RETURN NULL;
    END
    $$;

CREATE TRIGGER "review_comment_issue_id_count_changed" AFTER INSERT OR DELETE OR UPDATE OF "issue_id" ON "review_comment"
    FOR EACH ROW EXECUTE FUNCTION "review_comment_issue_id_count_changed"();

CREATE TABLE "merge_plan" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "issue_id" bigint NOT NULL REFERENCES "issue" (id) ON DELETE CASCADE,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "merger_id" bigint NOT NULL REFERENCES "account" (id) ON DELETE CASCADE,
      "style" text COLLATE "C" NOT NULL CHECK ("style" IN ('merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only', 'manually-merged')),
      "title" text NOT NULL,
      "message" text NOT NULL,
      "delete_branch" boolean NOT NULL,
      "head_sha" text NOT NULL,
      "from" text,
      "to" text,
      "event" jsonb NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT merge_plan_issue_once UNIQUE ("issue_id")
    );

CREATE INDEX ON "merge_plan" ("repository_id", id);

CREATE INDEX ON "merge_plan" ("issue_id", id);

CREATE INDEX ON "merge_plan" ("merger_id");
