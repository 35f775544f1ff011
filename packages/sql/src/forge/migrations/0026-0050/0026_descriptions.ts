import type { Migration } from "../../../Migrations.ts"

/** Adds an index that finds repositories by a part of their description. */
export const descriptions: Migration = {
  name: "0026_descriptions",
  up: [
    // Only trigrams: shorter substrings occur in most descriptions.
    `CREATE FUNCTION trigrams(of text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT ARRAY(SELECT DISTINCT substr($1, at, 3) FROM generate_series(1, length($1) - 2) at)
    $$`,
    `ALTER TABLE repository ADD description_grams text[] COLLATE "C" GENERATED ALWAYS AS (trigrams(description_key)) STORED`,
    `CREATE INDEX repository_description_grams ON repository USING gin (description_grams) WITH (gin_pending_list_limit = 64)`
  ]
}
