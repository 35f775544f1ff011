import type { Migration } from "../../../Migrations.ts"

// The actions that feeds show, as of this release.
const isFeedEvent = `outcome = 'done' AND action IN (
  'account.repository.create', 'admin.user.repository.create', 'organization.repository.create',
  'organization.repository.create-deprecated', 'repository.edit', 'git.push'
)`

/**
 * Adds indexes in list order for notifications, timelines, feeds and issues. They include the columns that filter these
 * lists.
 */
export const walkedLists: Migration = {
  name: "0045_walked_lists",
  up: [
    `ALTER TABLE notification ADD pull boolean`,
    `UPDATE notification SET pull = issue.pull FROM issue WHERE issue.id = notification.issue_id`,
    `CREATE FUNCTION copy_pull() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        SELECT pull INTO NEW.pull FROM issue WHERE id = NEW.issue_id;
        RETURN NEW;
      END $$`,
    `CREATE TRIGGER copies_pull BEFORE INSERT ON notification FOR EACH ROW EXECUTE FUNCTION copy_pull()`,
    `DROP INDEX notification_latest`,
    `CREATE INDEX notification_latest ON notification (user_id, updated_at, id) INCLUDE (status, repository_id, pull)`,
    `CREATE INDEX notification_new ON notification (user_id, updated_at, id) INCLUDE (status, repository_id, pull)
      WHERE status <> 'read'`,
    `CREATE INDEX issue_all ON issue (id) INCLUDE (repository_id, pull, state)`,
    `DROP INDEX issue_newest`,
    `CREATE INDEX issue_newest ON issue (repository_id, id) INCLUDE (pull, state)`,
    `CREATE INDEX comment_timeline ON comment (issue_id, created_at, id)`,
    `CREATE INDEX timeline_event_timeline ON timeline_event (issue_id, created_at, id)
      INCLUDE (source_repository_id, source_unit)`,
    `DROP INDEX event_doer`,
    `CREATE INDEX event_doer ON event (actor_id, id) INCLUDE (repository_id, action) WHERE ${isFeedEvent}`,
    `DROP INDEX event_repository`,
    `CREATE INDEX event_repository ON event (repository_id, id) INCLUDE (action) WHERE ${isFeedEvent}`,
    `CREATE INDEX event_place ON event (organization_id, id) INCLUDE (repository_id, action) WHERE ${isFeedEvent}`
  ]
}
