import { badges as badgeKind, userBadges } from "@slipway/domain/forge/identity"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of badges. */
export const badges: Migration = {
  name: "0031_badges",
  up: [badgeKind, userBadges].flatMap(createTable)
}
