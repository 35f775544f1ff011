import type { Migration } from "../../../Migrations.ts"

/** Adds the age and the rotation of the tokens of forge connections. */
export const tokenRotations: Migration = {
  name: "0055_token_rotations",
  up: [
    `UPDATE forge_app SET connection = connection || '{"tokenSince": null, "rotation": null}' WHERE connection IS NOT NULL`
  ]
}
