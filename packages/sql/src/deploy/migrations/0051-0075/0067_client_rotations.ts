import type { Migration } from "../../../Migrations.ts"

/** Adds the age and the rotation of the OAuth2 clients of forge connections. Names the successor of both credentials. */
export const clientRotations: Migration = {
  name: "0067_client_rotations",
  up: [
    `UPDATE forge_app SET connection = connection || '{"clientSince": null, "clientRotation": null}'
      WHERE connection IS NOT NULL`,
    `UPDATE forge_app
      SET connection = jsonb_set(connection, '{rotation}',
        jsonb_build_object('stage', 'stored', 'successor', connection->'rotation'->'token'))
      WHERE connection->'rotation'->>'stage' = 'stored'`
  ]
}
