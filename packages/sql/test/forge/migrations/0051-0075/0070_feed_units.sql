ALTER TABLE activity ADD COLUMN unit integer NOT NULL DEFAULT 0,
      ADD COLUMN issue_id bigint REFERENCES issue (id) ON DELETE CASCADE, ADD COLUMN comment_id bigint REFERENCES comment (id) ON DELETE CASCADE, ADD COLUMN release_id bigint REFERENCES release (id) ON DELETE CASCADE;

UPDATE activity SET unit = 1 WHERE action = 'git.push';

CREATE INDEX ON activity (issue_id) WHERE issue_id IS NOT NULL;

CREATE INDEX ON activity (comment_id) WHERE comment_id IS NOT NULL;

CREATE INDEX ON activity (release_id) WHERE release_id IS NOT NULL;

DROP INDEX activity_doer;

DROP INDEX activity_place;

DROP INDEX activity_repository;

CREATE INDEX activity_doer ON activity (actor_id, event_id) INCLUDE (repository_id, at, action, private, owner_visibility, owner_user_id, owner_organization_id, units, unit, release_id);

CREATE INDEX activity_place ON activity (organization_id, event_id) INCLUDE (repository_id, at, action, private, owner_visibility, owner_user_id, owner_organization_id, units, unit, release_id);

CREATE INDEX activity_repository ON activity (repository_id, event_id)
      INCLUDE (at, action, private, owner_visibility, owner_user_id, owner_organization_id, units, unit, release_id);

CREATE OR REPLACE FUNCTION tell_activity() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO activity (event_id, at, action, actor_id, organization_id, repository_id, private, owner_visibility, owner_user_id, owner_organization_id, units,
          unit, issue_id, comment_id, release_id)
        SELECT NEW.id, NEW.at, NEW.action, NEW.actor_id, NEW.organization_id, repository.id, repository.private, repository.owner_visibility, repository.user_id, repository.organization_id, repository.units,
          CASE WHEN NEW.action = 'git.push' THEN 1 WHEN NEW.action IN ('account.repository.create', 'admin.user.repository.create', 'organization.repository.create',
  'organization.repository.create-deprecated', 'repository.edit', 'git.push') THEN 0
            ELSE CASE NEW.details->>'unit'
              WHEN 'repo.issues' THEN 2 WHEN 'repo.pulls' THEN 4 WHEN 'repo.releases' THEN 8 ELSE 1 END END,
          (NEW.details->>'issueId')::bigint, (NEW.details->>'commentId')::bigint, (NEW.details->>'releaseId')::bigint
        FROM repository WHERE id = NEW.repository_id
          AND ((NEW.details->>'issueId')::bigint IS NULL OR EXISTS (SELECT FROM issue WHERE issue.id = (NEW.details->>'issueId')::bigint)) AND ((NEW.details->>'commentId')::bigint IS NULL OR EXISTS (SELECT FROM comment WHERE comment.id = (NEW.details->>'commentId')::bigint)) AND ((NEW.details->>'releaseId')::bigint IS NULL OR EXISTS (SELECT FROM release WHERE release.id = (NEW.details->>'releaseId')::bigint))
        FOR NO KEY UPDATE;
        RETURN NULL;
      END $$;

DROP TRIGGER tells_activity ON event;

CREATE TRIGGER tells_activity AFTER INSERT ON event FOR EACH ROW
      WHEN (NEW.repository_id IS NOT NULL AND NEW.outcome = 'done'
        AND (NEW.action IN ('account.repository.create', 'admin.user.repository.create', 'organization.repository.create',
  'organization.repository.create-deprecated', 'repository.edit', 'git.push') OR (NEW.action IN ('issue.create', 'issue.edit', 'issue.comment.create', 'pull.create', 'pull.edit', 'pull.merge',
  'repository.release.create', 'repository.release.edit') AND NEW.details->>'unit' IS NOT NULL)))
      EXECUTE FUNCTION tell_activity();
