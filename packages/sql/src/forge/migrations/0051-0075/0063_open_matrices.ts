import type { Migration } from "../../../Migrations.ts"

/** Adds a flag for jobs that a matrix with values known later replaces. */
export const openMatrices: Migration = {
  name: "0063_open_matrices",
  up: [`ALTER TABLE workflow_job ADD open boolean NOT NULL DEFAULT false`]
}
