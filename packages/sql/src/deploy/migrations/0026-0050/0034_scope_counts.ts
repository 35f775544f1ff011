import type { Migration } from "../../../Migrations.ts"

/** The tables that get row counts for each value of a column, such as the deployments of each application. */
const counted = [
  ["deployment", "application_uuid"],
  ["application_tag", "tag_id"]
] as const

const countScopesOf = ([table, column]: (typeof counted)[number]): ReadonlyArray<string> => [
  `INSERT INTO scope_count (kind, scope, amount) SELECT '${table}', ${column}::text, count(*) FROM ${table} GROUP BY ${column}`,
  ...[
    ["added", "INSERT", "NEW"],
    ["removed", "DELETE", "OLD"]
  ].map(
    ([name, event, rows]) => `CREATE TRIGGER ${table}_${name}_to_scope AFTER ${event} ON ${table}
      REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_scopes('${column}')`
  )
]

/**
 * Adds counts of the deployments of each application and of the applications of each tag. Writers do not wait for each
 * other.
 */
export const scopeCounts: Migration = {
  name: "0034_scope_counts",
  up: [
    `CREATE TABLE scope_count (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      kind text COLLATE "C" NOT NULL,
      scope text COLLATE "C" NOT NULL,
      amount bigint NOT NULL
    ) WITH (fillfactor = 50)`,
    `CREATE INDEX scope_count_scope ON scope_count (kind, scope)`,
    `CREATE FUNCTION count_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      WITH step AS (
        SELECT to_jsonb(changed) ->> TG_ARGV[0] AS scope, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS amount
        FROM changed GROUP BY 1
      ), free AS MATERIALIZED (
        SELECT step.scope, step.amount, (
          SELECT free.id FROM scope_count free WHERE free.kind = TG_TABLE_NAME AND free.scope = step.scope
          LIMIT 1 FOR UPDATE SKIP LOCKED
        ) AS id FROM step
      ), stepped AS (
        UPDATE scope_count SET amount = scope_count.amount + free.amount FROM free WHERE scope_count.id = free.id
      )
      INSERT INTO scope_count (kind, scope, amount)
      SELECT TG_TABLE_NAME, free.scope, free.amount FROM free WHERE free.id IS NULL;
      RETURN NULL;
    END
    $$`,
    ...counted.flatMap(countScopesOf)
  ]
}
