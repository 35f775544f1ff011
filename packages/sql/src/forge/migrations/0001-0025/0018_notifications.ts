import { issueSubscriptions, notifications as notificationKind } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of notifications and of subscriptions to issues. */
export const notifications: Migration = {
  name: "0018_notifications",
  up: [
    ...[notificationKind, issueSubscriptions].flatMap(createTable),
    `CREATE INDEX notification_latest ON notification (user_id, status, updated_at, id)`
  ]
}
