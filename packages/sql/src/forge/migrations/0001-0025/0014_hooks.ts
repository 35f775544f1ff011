import { queuedHookEvents } from "@slipway/domain/forge/events"
import { hookDeliveries, hooks as hookKind, hookQueues } from "@slipway/domain/forge/integrations"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

// At that time, every event was about a repository, and only the state before it was stored.
const newsOfRepositories = createTable(queuedHookEvents).map((each) =>
  each.replace(`"repository" jsonb`, `"repository" jsonb NOT NULL`).replace(/,\s*"after" jsonb NOT NULL/, "")
)

/** Creates the tables of webhooks, of their deliveries, and of events that are queued for them. */
export const hooks: Migration = {
  name: "0014_hooks",
  up: [
    ...[hookKind, hookQueues].flatMap(createTable),
    `CREATE INDEX ON "hook_queue" ("hook_id")`,
    ...createTable(hookDeliveries),
    ...newsOfRepositories
  ]
}
