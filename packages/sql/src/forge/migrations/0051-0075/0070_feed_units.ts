import type { Migration } from "../../../Migrations.ts"

const facts = "private, owner_visibility, owner_user_id, owner_organization_id, units"
const factsOf =
  "repository.private, repository.owner_visibility, repository.user_id, repository.organization_id, repository.units"
const walked = `INCLUDE (repository_id, at, action, ${facts}, unit, release_id)`
const subjects = ["issue", "comment", "release"]
const subject = (kind: string) => `(NEW.details->>'${kind}Id')::bigint`

// The actions of feeds, and the bits of units, as of this release.
const whole = `'account.repository.create', 'admin.user.repository.create', 'organization.repository.create',
  'organization.repository.create-deprecated', 'repository.edit', 'git.push'`
const inDetails = `'issue.create', 'issue.edit', 'issue.comment.create', 'pull.create', 'pull.edit', 'pull.merge',
  'repository.release.create', 'repository.release.edit'`

/**
 * Adds activities of issues, pull requests and releases, each with the unit (part of a repository) that gives access to
 * it. An activity is removed with its resource.
 */
export const feedUnits: Migration = {
  name: "0070_feed_units",
  up: [
    `ALTER TABLE activity ADD COLUMN unit integer NOT NULL DEFAULT 0,
      ${subjects.map((kind) => `ADD COLUMN ${kind}_id bigint REFERENCES ${kind} (id) ON DELETE CASCADE`).join(", ")}`,
    `UPDATE activity SET unit = 1 WHERE action = 'git.push'`,
    ...subjects.map((kind) => `CREATE INDEX ON activity (${kind}_id) WHERE ${kind}_id IS NOT NULL`),
    `DROP INDEX activity_doer`,
    `DROP INDEX activity_place`,
    `DROP INDEX activity_repository`,
    `CREATE INDEX activity_doer ON activity (actor_id, event_id) ${walked}`,
    `CREATE INDEX activity_place ON activity (organization_id, event_id) ${walked}`,
    `CREATE INDEX activity_repository ON activity (repository_id, event_id)
      INCLUDE (at, action, ${facts}, unit, release_id)`,
    // A resource may be gone when a job records the event. The lock of the repository comes last, as before.
    `CREATE OR REPLACE FUNCTION tell_activity() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO activity (event_id, at, action, actor_id, organization_id, repository_id, ${facts},
          unit, ${subjects.map((kind) => `${kind}_id`).join(", ")})
        SELECT NEW.id, NEW.at, NEW.action, NEW.actor_id, NEW.organization_id, repository.id, ${factsOf},
          CASE WHEN NEW.action = 'git.push' THEN 1 WHEN NEW.action IN (${whole}) THEN 0
            ELSE CASE NEW.details->>'unit'
              WHEN 'repo.issues' THEN 2 WHEN 'repo.pulls' THEN 4 WHEN 'repo.releases' THEN 8 ELSE 1 END END,
          ${subjects.map(subject).join(", ")}
        FROM repository WHERE id = NEW.repository_id
          ${subjects
            .map(
              (kind) =>
                `AND (${subject(kind)} IS NULL OR EXISTS (SELECT FROM ${kind} WHERE ${kind}.id = ${subject(kind)}))`
            )
            .join(" ")}
        FOR NO KEY UPDATE;
        RETURN NULL;
      END $$`,
    `DROP TRIGGER tells_activity ON event`,
    `CREATE TRIGGER tells_activity AFTER INSERT ON event FOR EACH ROW
      WHEN (NEW.repository_id IS NOT NULL AND NEW.outcome = 'done'
        AND (NEW.action IN (${whole}) OR (NEW.action IN (${inDetails}) AND NEW.details->>'unit' IS NOT NULL)))
      EXECUTE FUNCTION tell_activity()`
  ]
}
