import type { Migration } from "../../../Migrations.ts"

/** Creates the tables of notification channels, of queued notifications, and of problems already reported. */
export const notifications: Migration = {
  name: "0044_notifications",
  up: [
    `CREATE TABLE notification_channel (
      channel text COLLATE "C" PRIMARY KEY,
      settings jsonb NOT NULL,
      secrets jsonb NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE TABLE notification (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      uuid text COLLATE "C" NOT NULL UNIQUE,
      channel text COLLATE "C" NOT NULL,
      recipient text,
      message jsonb NOT NULL,
      attempts integer NOT NULL,
      due_at timestamptz NOT NULL,
      claimed_by text,
      lease_until timestamptz,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX notification_due ON notification (due_at, id)`,
    `CREATE INDEX notification_of_channel ON notification (channel, id)`,
    `CREATE TABLE notification_condition (
      topic text COLLATE "C" PRIMARY KEY,
      reported_at timestamptz NOT NULL
    )`
  ]
}
