import type { Migration } from "../../../Migrations.ts"

/** Finds what is under way on a server, however many deployments wait. */
export const active: Migration = {
  name: "0029_active",
  up: [
    `CREATE INDEX deployment_active ON deployment (server_uuid, id)
      WHERE status IN ('preparing', 'building', 'starting', 'checking', 'switching')`
  ]
}
