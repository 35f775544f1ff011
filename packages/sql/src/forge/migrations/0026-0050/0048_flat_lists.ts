import type { Migration } from "../../../Migrations.ts"

// The actions that feeds show, as of this release.
const isFeedEvent = (row: string) => `${row}.outcome = 'done' AND ${row}.action IN (
  'account.repository.create', 'admin.user.repository.create', 'organization.repository.create',
  'organization.repository.create-deprecated', 'repository.edit', 'git.push'
)`
const ofEvent = "event_id, at, action, actor_id, organization_id"
const copies = "private, owner_visibility, owner_user_id, owner_organization_id, units"
const facts = (row: string) =>
  `${row}.private, ${row}.owner_visibility, ${row}.user_id, ${row}.organization_id, ${row}.units`
const walked = `INCLUDE (repository_id, at, action, ${copies})`

/**
 * Creates the table of activities, with copies of the columns that decide on visibility. Adds two indexes for
 * timelines.
 */
export const flatLists: Migration = {
  name: "0048_flat_lists",
  up: [
    `CREATE TABLE activity (
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
    )`,
    `INSERT INTO activity (${ofEvent}, repository_id, ${copies})
      SELECT event.id, event.at, event.action, event.actor_id, event.organization_id, repository.id, ${facts("repository")}
      FROM event JOIN repository ON repository.id = event.repository_id WHERE ${isFeedEvent("event")}`,
    `DROP INDEX event_doer`,
    `DROP INDEX event_repository`,
    `DROP INDEX event_place`,
    `CREATE INDEX activity_doer ON activity (actor_id, event_id) ${walked}`,
    `CREATE INDEX activity_place ON activity (organization_id, event_id) ${walked}`,
    `CREATE INDEX activity_repository ON activity (repository_id, event_id) INCLUDE (at, action, ${copies})`,
    // Locks the repository, so that its visibility cannot change before this row is stored.
    `CREATE FUNCTION tell_activity() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO activity (${ofEvent}, repository_id, ${copies})
        SELECT NEW.id, NEW.at, NEW.action, NEW.actor_id, NEW.organization_id, repository.id, ${facts("repository")}
        FROM repository WHERE id = NEW.repository_id FOR NO KEY UPDATE;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER tells_activity AFTER INSERT ON event FOR EACH ROW
      WHEN (NEW.repository_id IS NOT NULL AND ${isFeedEvent("NEW")})
      EXECUTE FUNCTION tell_activity()`,
    `CREATE OR REPLACE FUNCTION follow_repository() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE star SET (${copies}) = (${facts("NEW")}) WHERE repository_id = NEW.id;
        UPDATE watch SET (${copies}) = (${facts("NEW")}) WHERE repository_id = NEW.id;
        UPDATE activity SET (${copies}) = (${facts("NEW")}) WHERE repository_id = NEW.id;
        RETURN NULL;
      END $$`,

    `DROP INDEX timeline_event_timeline`,
    `CREATE INDEX timeline_event_here ON timeline_event (issue_id, created_at, id) WHERE source_repository_id IS NULL`,
    `CREATE INDEX timeline_event_elsewhere ON timeline_event (issue_id, created_at, id)
      INCLUDE (source_repository_id, source_unit) WHERE source_repository_id IS NOT NULL`
  ]
}
