CREATE TABLE "repository_topic" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "repository_id" bigint NOT NULL REFERENCES "repository" (id) ON DELETE CASCADE,
      "name" text COLLATE "C" NOT NULL,
      "created_at" timestamptz NOT NULL,
      CONSTRAINT repository_topic_pair_once UNIQUE ("repository_id", "name")
    );

CREATE INDEX ON "repository_topic" ("repository_id", "name", id);

CREATE INDEX ON repository_topic (name, repository_id);

CREATE TABLE topic (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      repositories bigint NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      grams text[] COLLATE "C" GENERATED ALWAYS AS (grams(name)) STORED
    );

CREATE INDEX topic_grams ON topic USING gin (grams) WITH (gin_pending_list_limit = 64);

CREATE INDEX topic_used ON topic (repositories, (-id)) WHERE repositories > 0;

CREATE FUNCTION count_topics() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        row repository_topic;
      BEGIN
        IF TG_OP = 'DELETE' THEN row := OLD; ELSE row := NEW; END IF;
        -- Of a repository that goes, the topics are counted out before it does.
        PERFORM FROM repository WHERE id = row.repository_id AND NOT repository.private AND repository.owner_visibility = 'public' FOR SHARE;
        IF FOUND AND TG_OP = 'DELETE' THEN 
  UPDATE topic SET repositories = repositories - 1
  WHERE id IN (SELECT id FROM topic WHERE name IN (row.name) ORDER BY name FOR UPDATE); END IF;
        IF FOUND AND TG_OP = 'INSERT' THEN 
  INSERT INTO topic (name, repositories, created_at, updated_at)
  SELECT name, 1, created_at, created_at FROM (SELECT row.name, row.created_at) one ORDER BY name
  ON CONFLICT (name) DO UPDATE SET
    created_at = CASE WHEN topic.repositories = 0 THEN excluded.created_at
      ELSE least(topic.created_at, excluded.created_at) END,
    updated_at = CASE WHEN topic.repositories = 0 THEN excluded.updated_at
      ELSE greatest(topic.updated_at, excluded.updated_at) END,
    repositories = topic.repositories + 1; END IF;
        RETURN NULL;
      END $$;

CREATE TRIGGER topics_are_counted AFTER INSERT OR DELETE ON repository_topic
      FOR EACH ROW EXECUTE FUNCTION count_topics();

CREATE FUNCTION open_topics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        
  INSERT INTO topic (name, repositories, created_at, updated_at)
  SELECT name, 1, created_at, created_at FROM repository_topic WHERE repository_id = NEW.id ORDER BY name
  ON CONFLICT (name) DO UPDATE SET
    created_at = CASE WHEN topic.repositories = 0 THEN excluded.created_at
      ELSE least(topic.created_at, excluded.created_at) END,
    updated_at = CASE WHEN topic.repositories = 0 THEN excluded.updated_at
      ELSE greatest(topic.updated_at, excluded.updated_at) END,
    repositories = topic.repositories + 1;
        RETURN NULL;
      END $$;

CREATE FUNCTION shut_topics() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        
  UPDATE topic SET repositories = repositories - 1
  WHERE id IN (SELECT id FROM topic WHERE name IN (SELECT name FROM repository_topic WHERE repository_id = OLD.id) ORDER BY name FOR UPDATE);
        RETURN OLD;
      END $$;

CREATE TRIGGER topics_open AFTER UPDATE OF private, owner_visibility ON repository FOR EACH ROW
      WHEN (NOT (NOT OLD.private AND OLD.owner_visibility = 'public') AND NOT NEW.private AND NEW.owner_visibility = 'public') EXECUTE FUNCTION open_topics();

CREATE TRIGGER topics_shut AFTER UPDATE OF private, owner_visibility ON repository FOR EACH ROW
      WHEN (NOT OLD.private AND OLD.owner_visibility = 'public' AND NOT (NOT NEW.private AND NEW.owner_visibility = 'public')) EXECUTE FUNCTION shut_topics();

CREATE TRIGGER topics_go BEFORE DELETE ON repository FOR EACH ROW
      WHEN (NOT OLD.private AND OLD.owner_visibility = 'public') EXECUTE FUNCTION shut_topics();
