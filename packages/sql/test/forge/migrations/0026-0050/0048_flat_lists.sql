CREATE TABLE activity (
      event_id bigint PRIMARY KEY REFERENCES event (id) ON DELETE CASCADE,
      at timestamptz NOT NULL,
      action text COLLATE "C" NOT NULL,
      actor_id bigint,
      organization_id bigint,
      repository_id bigint NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      private boolean NOT NULL,
      owner_visibility text COLLATE "C" NOT NULL,
      owner_user_id bigint,
      owner_organization_id bigint,
      units integer NOT NULL
    );

INSERT INTO activity (event_id, at, action, actor_id, organization_id, repository_id, private, owner_visibility, owner_user_id, owner_organization_id, units)
      SELECT event.id, event.at, event.action, event.actor_id, event.organization_id, repository.id, repository.private, repository.owner_visibility, repository.user_id, repository.organization_id, repository.units
      FROM event JOIN repository ON repository.id = event.repository_id WHERE event.outcome = 'done' AND event.action IN (
  'account.repository.create', 'admin.user.repository.create', 'organization.repository.create',
  'organization.repository.create-deprecated', 'repository.edit', 'git.push'
);

DROP INDEX event_doer;

DROP INDEX event_repository;

DROP INDEX event_place;

CREATE INDEX activity_doer ON activity (actor_id, event_id) INCLUDE (repository_id, at, action, private, owner_visibility, owner_user_id, owner_organization_id, units);

CREATE INDEX activity_place ON activity (organization_id, event_id) INCLUDE (repository_id, at, action, private, owner_visibility, owner_user_id, owner_organization_id, units);

CREATE INDEX activity_repository ON activity (repository_id, event_id) INCLUDE (at, action, private, owner_visibility, owner_user_id, owner_organization_id, units);

CREATE FUNCTION tell_activity() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO activity (event_id, at, action, actor_id, organization_id, repository_id, private, owner_visibility, owner_user_id, owner_organization_id, units)
        SELECT NEW.id, NEW.at, NEW.action, NEW.actor_id, NEW.organization_id, repository.id, repository.private, repository.owner_visibility, repository.user_id, repository.organization_id, repository.units
        FROM repository WHERE id = NEW.repository_id FOR NO KEY UPDATE;
        RETURN NULL;
      END $$;

CREATE TRIGGER tells_activity AFTER INSERT ON event FOR EACH ROW
      WHEN (NEW.repository_id IS NOT NULL AND NEW.outcome = 'done' AND NEW.action IN (
  'account.repository.create', 'admin.user.repository.create', 'organization.repository.create',
  'organization.repository.create-deprecated', 'repository.edit', 'git.push'
))
      EXECUTE FUNCTION tell_activity();

CREATE OR REPLACE FUNCTION follow_repository() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE star SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units) WHERE repository_id = NEW.id;
        UPDATE watch SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units) WHERE repository_id = NEW.id;
        UPDATE activity SET (private, owner_visibility, owner_user_id, owner_organization_id, units) = (NEW.private, NEW.owner_visibility, NEW.user_id, NEW.organization_id, NEW.units) WHERE repository_id = NEW.id;
        RETURN NULL;
      END $$;

DROP INDEX timeline_event_timeline;

CREATE INDEX timeline_event_here ON timeline_event (issue_id, created_at, id) WHERE source_repository_id IS NULL;

CREATE INDEX timeline_event_elsewhere ON timeline_event (issue_id, created_at, id)
      INCLUDE (source_repository_id, source_unit) WHERE source_repository_id IS NOT NULL;
