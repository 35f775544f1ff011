import type { Migration } from "../../../Migrations.ts"

/** Keeps which jobs become those of a matrix that is known later; those that were there are made. */
export const openMatrices: Migration = {
  name: "0063_open_matrices",
  up: [`ALTER TABLE workflow_job ADD open boolean NOT NULL DEFAULT false`]
}
