import type { Migration } from "../../../Migrations.ts"

/** Adds to deployments the user of the forge who pushed the commit. */
export const pushers: Migration = {
  name: "0070_pushers",
  up: [`ALTER TABLE deployment ADD COLUMN pusher jsonb`]
}
