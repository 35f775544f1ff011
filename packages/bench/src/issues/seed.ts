import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const moment = "2026-01-01T00:00:00.000Z"

/** Number of entries in the timeline of the first issue. */
export const entries = 2_000

/** Writes the rows of `seedIssues` in one transaction, because the PostgreSQL settings apply to a single connection. */
const written = Effect.fnUntraced(function* (sql: SqlClient, issues: number, repositories: number) {
  const run = (text: string) => sql`${sql.literal(text)}`.unprepared
  yield* run("SET LOCAL statement_timeout = 0")
  yield* run("SET LOCAL session_replication_role = replica")
  yield* run("SET LOCAL maintenance_work_mem = '256MB'")
  // Building an index in one step is faster than adding row by row.
  const indexes = yield* sql<{ readonly name: string; readonly definition: string }>`
    SELECT indexname::text AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = current_schema() AND indexdef NOT LIKE 'CREATE UNIQUE%'
      AND tablename IN ('issue', 'issue_words', 'comment', 'issue_label', 'notification')`
  yield* Effect.forEach(indexes, ({ name }) => sql`DROP INDEX ${sql(name)}`.unprepared)
  // A word in a tenth of the issues, one in a hundred issues, and one in each issue only.
  yield* run(`
    INSERT INTO issue (repository_id, number, pull, title, body, content_version, state, author_id, ref, locked, lock_reason,
      pin_order, time_estimate, created_at, updated_at)
    SELECT 1 + n % ${repositories}, 1 + n / ${repositories}, n % 4 = 3,
      'Issue ' || n || CASE WHEN n % 10 = 0 THEN ' squeaks' ELSE '' END || CASE WHEN n % ${issues / 100} = 0 THEN ' needle' ELSE '' END,
      'A text about thing' || n, 0, CASE WHEN n % 3 = 0 THEN 'closed' ELSE 'open' END, 1 + n % 100, '', false, '', 0, 0,
      '${moment}', timestamptz '${moment}' + n * interval '1 second'
    FROM generate_series(0, ${issues - 1}) n`)
  yield* run(
    `INSERT INTO issue_words (issue_id, words) SELECT id, to_tsvector('simple', title || ' ' || body) FROM issue`
  )
  yield* run(`INSERT INTO issue_number (repository_id, last) SELECT repository_id, max(number) FROM issue GROUP BY 1`)
  yield* run(`
    INSERT INTO issue_repository_id_count (repository_id, open_issues, open_pulls)
    SELECT repository_id, count(*) FILTER (WHERE NOT pull AND state = 'open'), count(*) FILTER (WHERE pull AND state = 'open')
    FROM issue GROUP BY 1`)
  yield* run(`
    INSERT INTO comment (issue_id, repository_id, author_id, body, content_version, created_at, updated_at)
    SELECT id, repository_id, 1 + (id + n) % 100, 'Said ' || n, 0, '${moment}', '${moment}' FROM issue, generate_series(1, 3) n`)
  yield* run(`
    INSERT INTO comment (issue_id, repository_id, author_id, body, content_version, created_at, updated_at)
    SELECT 1, 1, 1, 'Said ' || n, 0, '${moment}', '${moment}' FROM generate_series(1, ${entries - 3}) n`)
  yield* run(
    `INSERT INTO comment_issue_id_count (issue_id, comments) SELECT issue_id, count(*) FROM comment GROUP BY 1`
  )
  yield* run(`
    INSERT INTO label (repository_id, name, name_key, color, description, exclusive, archived)
    SELECT n, 'bug', 'bug', 'ff0000', '', false, false FROM generate_series(1, ${repositories}) n`)
  yield* run(`
    INSERT INTO issue_label (issue_id, label_id)
    SELECT issue.id, label.id FROM issue JOIN label USING (repository_id) WHERE issue.number % 5 = 0`)
  yield* run(`
    INSERT INTO notification (user_id, repository_id, issue_id, status, updated_at, pull)
    SELECT 1 + (issue.id / 50) % ${repositories / 2}, repository_id, id, CASE WHEN id % 2 = 0 THEN 'read' ELSE 'unread' END, updated_at,
      pull
    FROM issue`)
  yield* Effect.forEach(indexes, ({ definition }) => run(definition))
})

/**
 * Fills a database that already has users and repositories with issues, three comments each, labels, notifications and
 * one long timeline.
 *
 * Rows that database triggers would write one by one are written in bulk.
 */
export const seedIssues = Effect.fnUntraced(function* (issues: number, repositories: number) {
  const sql = yield* SqlClient
  yield* sql.withTransaction(written(sql, issues, repositories))
  yield* sql`VACUUM ANALYZE`.unprepared
})
