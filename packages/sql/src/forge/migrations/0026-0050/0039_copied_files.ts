import type { Migration } from "../../../Migrations.ts"

/**
 * Adds to repository migrations the LFS option, the number of omitted files and the progress of copying pull requests.
 */
export const copiedFiles: Migration = {
  name: "0039_copied_files",
  up: [
    `ALTER TABLE copying DROP CONSTRAINT copying_service_check`,
    `ALTER TABLE copying ADD CHECK (service IN ('git', 'gitea', 'github', 'gitlab'))`,
    `ALTER TABLE copying ADD lfs boolean NOT NULL DEFAULT false, ADD left_out bigint NOT NULL DEFAULT 0`,
    `ALTER TABLE copying ALTER lfs DROP DEFAULT, ALTER left_out DROP DEFAULT, ADD numbers_before bigint`
  ]
}
