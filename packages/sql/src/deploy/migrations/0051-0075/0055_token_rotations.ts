import type { Migration } from "../../../Migrations.ts"

/** Adds to forge connections the creation time of their token and the state of its rotation. */
export const tokenRotations: Migration = {
  name: "0055_token_rotations",
  up: [
    `UPDATE forge_app SET connection = connection || '{"tokenSince": null, "rotation": null}' WHERE connection IS NOT NULL`
  ]
}
