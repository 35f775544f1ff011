import { forks as forkRows, transfers } from "@slipway/domain/forge/code"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the tables of forks and of transfer offers. */
export const forks: Migration = {
  name: "0029_forks",
  up: [
    // Lists are sorted by the number of forks, which is a column of the row.
    `CREATE FUNCTION count_forks() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN UPDATE repository SET forks = forks - 1 WHERE id = OLD.parent_id; END IF;
        IF TG_OP <> 'DELETE' THEN UPDATE repository SET forks = forks + 1 WHERE id = NEW.parent_id; END IF;
        RETURN NULL;
      END $$`,
    ...createTable(forkRows),
    ...createTable(transfers),
    `CREATE TRIGGER forks_are_counted AFTER INSERT OR DELETE OR UPDATE OF parent_id ON fork
      FOR EACH ROW EXECUTE FUNCTION count_forks()`,
    // A merge has the record of a push. Scheduled merges are found by the checked commit.
    `ALTER TABLE merge_plan ADD push_id bigint`,
    `ALTER TABLE merge_plan ALTER head_sha TYPE text COLLATE "C"`,
    `CREATE INDEX ON merge_plan (repository_id, head_sha, id)`
  ]
}
