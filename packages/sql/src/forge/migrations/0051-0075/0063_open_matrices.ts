import type { Migration } from "../../../Migrations.ts"

/**
 * Adds a flag for placeholder jobs of a matrix with values that are known later. The jobs of the matrix then replace
 * the placeholder.
 */
export const openMatrices: Migration = {
  name: "0063_open_matrices",
  up: [`ALTER TABLE workflow_job ADD open boolean NOT NULL DEFAULT false`]
}
