CREATE TABLE listed_issue (
      issue_id bigint REFERENCES issue (id) ON DELETE CASCADE,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      pull boolean NOT NULL,
      state text COLLATE "C" NOT NULL,
      private boolean NOT NULL,
      owner_visibility text COLLATE "C" NOT NULL,
      owner_user_id bigint,
      owner_organization_id bigint,
      units integer NOT NULL,
      PRIMARY KEY (issue_id) INCLUDE (repository_id, pull, state, private, owner_visibility, owner_user_id, owner_organization_id, units)
    );

INSERT INTO listed_issue (issue_id, repository_id, pull, state, private, owner_visibility, owner_user_id, owner_organization_id, units)
      SELECT issue.id, repository.id, issue.pull, issue.state, repository.private, repository.owner_visibility, repository.user_id, repository.organization_id, repository.units
      FROM issue JOIN repository ON repository.id = issue.repository_id;

CREATE INDEX listed_issue_repository ON listed_issue (repository_id);

CREATE FUNCTION list_issue() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO listed_issue (issue_id, repository_id, pull, state, private, owner_visibility, owner_user_id, owner_organization_id, units)
        SELECT NEW.id, repository.id, NEW.pull, NEW.state, repository.private, repository.owner_visibility, repository.user_id, repository.organization_id, repository.units
        FROM repository WHERE id = NEW.repository_id FOR NO KEY UPDATE;
        RETURN NULL;
      END $$;

CREATE TRIGGER lists_issue AFTER INSERT ON issue FOR EACH ROW EXECUTE FUNCTION list_issue();

CREATE FUNCTION follow_issue() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE listed_issue SET state = NEW.state WHERE issue_id = NEW.id;
        RETURN NULL;
      END $$;

CREATE TRIGGER issue_is_followed AFTER UPDATE OF state ON issue FOR EACH ROW
      WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION follow_issue();

CREATE OR REPLACE FUNCTION follow_repository() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE star SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units) WHERE repository_id = NEW.id;
        UPDATE watch SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units) WHERE repository_id = NEW.id;
        UPDATE activity SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units) WHERE repository_id = NEW.id;
        UPDATE listed_issue SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units) WHERE repository_id = NEW.id;
        RETURN NULL;
      END $$;
