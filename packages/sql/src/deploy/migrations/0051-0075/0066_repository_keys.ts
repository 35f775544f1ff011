import type { Migration } from "../../../Migrations.ts"

/**
 * Adds a normalized form of repository URLs to applications, and an index that finds applications by the last part of
 * the path.
 *
 * The index contains only the first 100 characters of that part, because PostgreSQL limits the size of an index entry.
 */
export const repositoryKeys: Migration = {
  name: "0066_repository_keys",
  up: [
    `ALTER TABLE application ADD COLUMN repository_key text COLLATE "C" GENERATED ALWAYS AS (
      lower(regexp_replace(
        regexp_replace((configuration->>'git_repository') COLLATE "C", '^([a-z]+://)[^/?#]*@', '\\1', 'i'),
        '(\\.git)?/*$', '', 'i'
      ))) STORED`,
    "CREATE INDEX application_repository ON application (left(split_part(repository_key, '/', -1), 100), id)"
  ]
}
