import type { Migration } from "../../../Migrations.ts"

/** Adds the stopped parts of a service that the approval of its deployment starts. */
export const approvalsOfParts: Migration = {
  name: "0069_approvals_of_parts",
  up: ["ALTER TABLE deployment ADD COLUMN starts_parts jsonb NOT NULL DEFAULT '[]'"]
}
