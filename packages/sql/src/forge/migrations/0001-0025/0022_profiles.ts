import { repositoryProfiles } from "@slipway/domain/forge/code"
import { releases } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createCounters, createTable } from "../../../owned/createTable.ts"

/** Creates the table of repository profiles, and counts releases and stars. */
export const profiles: Migration = {
  name: "0022_profiles",
  up: [
    ...createTable(repositoryProfiles),
    ...createCounters({ ...releases, counters: { releases: { of: "repositoryId", where: { draft: false } } } }),
    `INSERT INTO release_repository_id_count (repository_id, releases)
      SELECT repository_id, count(*) FILTER (WHERE NOT draft) FROM release GROUP BY repository_id`,

    // Sort keys of lists are columns of the row: the numbers of stars and forks.
    `ALTER TABLE repository ADD stars bigint NOT NULL DEFAULT 0, ADD forks bigint NOT NULL DEFAULT 0`,
    `UPDATE repository SET stars = counted.stars FROM star_repository_id_count counted
      WHERE counted.repository_id = repository.id`,
    `CREATE FUNCTION count_stars() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          UPDATE repository SET stars = stars + 1 WHERE id = NEW.repository_id;
        ELSE
          UPDATE repository SET stars = stars - 1 WHERE id = OLD.repository_id;
        END IF;
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER stars_are_counted AFTER INSERT OR DELETE ON star FOR EACH ROW EXECUTE FUNCTION count_stars()`
  ]
}
