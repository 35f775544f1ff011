import type { Migration } from "../../../Migrations.ts"

/** Adds an index that finds the running deployments of a server without reading the queued ones. */
export const active: Migration = {
  name: "0029_active",
  up: [
    `CREATE INDEX deployment_active ON deployment (server_uuid, id)
      WHERE status IN ('preparing', 'building', 'starting', 'checking', 'switching')`
  ]
}
