import type { Migration } from "../../../Migrations.ts"

const ofTeam = "team_id bigint NOT NULL DEFAULT 0 REFERENCES team (id) ON DELETE CASCADE"

/**
 * Adds a team to notification channels, so that each team has its own. Existing settings and notifications belong to
 * the root team.
 */
export const teamNotifications: Migration = {
  name: "0051_team_notifications",
  up: [
    `ALTER TABLE notification_channel ADD COLUMN ${ofTeam}`,
    `ALTER TABLE notification_channel DROP CONSTRAINT notification_channel_pkey`,
    `ALTER TABLE notification_channel ADD PRIMARY KEY (team_id, channel)`,
    `ALTER TABLE notification ADD COLUMN ${ofTeam}`,
    `DROP INDEX notification_of_channel`,
    `CREATE INDEX notification_of_channel ON notification (team_id, channel, id)`
  ]
}
