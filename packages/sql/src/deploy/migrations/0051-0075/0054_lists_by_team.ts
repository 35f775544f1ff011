import type { Migration } from "../../../Migrations.ts"

/** Adds the indexes that find the deployments and deletions on the servers of a team. */
export const listsByTeam: Migration = {
  name: "0054_lists_by_team",
  up: [
    "CREATE INDEX deployment_server ON deployment (server_uuid, id)",
    "CREATE INDEX deletion_server ON deletion (server_uuid, id)"
  ]
}
