import { repositoryTopics } from "@slipway/domain/forge/code"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

const isOpen = (row: string) => `NOT ${row}.private AND ${row}.owner_visibility = 'public'`

const counted = (from: string) => `
  INSERT INTO topic (name, repositories, created_at, updated_at)
  SELECT name, 1, created_at, created_at FROM ${from} ORDER BY name
  ON CONFLICT (name) DO UPDATE SET
    created_at = CASE WHEN topic.repositories = 0 THEN excluded.created_at
      ELSE least(topic.created_at, excluded.created_at) END,
    updated_at = CASE WHEN topic.repositories = 0 THEN excluded.updated_at
      ELSE greatest(topic.updated_at, excluded.updated_at) END,
    repositories = topic.repositories + 1`

const uncounted = (names: string) => `
  UPDATE topic SET repositories = repositories - 1
  WHERE id IN (SELECT id FROM topic WHERE name IN (${names}) ORDER BY name FOR UPDATE)`

/** Creates the tables of topics, and counts the public repositories of each topic. */
export const topics: Migration = {
  name: "0021_topics",
  up: [
    ...createTable(repositoryTopics),
    `CREATE INDEX ON repository_topic (name, repository_id)`,
    `CREATE TABLE topic (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      repositories bigint NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      grams text[] COLLATE "C" GENERATED ALWAYS AS (grams(name)) STORED
    )`,
    `CREATE INDEX topic_grams ON topic USING gin (grams) WITH (gin_pending_list_limit = 64)`,
    `CREATE INDEX topic_used ON topic (repositories, (-id)) WHERE repositories > 0`,
    `CREATE FUNCTION count_topics() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        row repository_topic;
      BEGIN
        IF TG_OP = 'DELETE' THEN row := OLD; ELSE row := NEW; END IF;
        -- Of a repository that goes, the topics are counted out before it does.
        PERFORM FROM repository WHERE id = row.repository_id AND ${isOpen("repository")} FOR SHARE;
        IF FOUND AND TG_OP = 'DELETE' THEN ${uncounted("row.name")}; END IF;
        IF FOUND AND TG_OP = 'INSERT' THEN ${counted("(SELECT row.name, row.created_at) one")}; END IF;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER topics_are_counted AFTER INSERT OR DELETE ON repository_topic
      FOR EACH ROW EXECUTE FUNCTION count_topics()`,
    `CREATE FUNCTION open_topics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${counted("repository_topic WHERE repository_id = NEW.id")};
        RETURN NULL;
      END $$`,
    `CREATE FUNCTION shut_topics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${uncounted("SELECT name FROM repository_topic WHERE repository_id = OLD.id")};
        RETURN OLD;
      END $$`,
    `CREATE TRIGGER topics_open AFTER UPDATE OF private, owner_visibility ON repository FOR EACH ROW
      WHEN (NOT (${isOpen("OLD")}) AND ${isOpen("NEW")}) EXECUTE FUNCTION open_topics()`,
    `CREATE TRIGGER topics_shut AFTER UPDATE OF private, owner_visibility ON repository FOR EACH ROW
      WHEN (${isOpen("OLD")} AND NOT (${isOpen("NEW")})) EXECUTE FUNCTION shut_topics()`,
    `CREATE TRIGGER topics_go BEFORE DELETE ON repository FOR EACH ROW
      WHEN (${isOpen("OLD")}) EXECUTE FUNCTION shut_topics()`
  ]
}
