import { switchesBut } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { setOfSwitches, setsOf } from "../../forge/identity/units.ts"

const moment = "2026-01-01T00:00:00.000Z"

/**
 * Runs VACUUM until PostgreSQL has marked all pages as all-visible, so that index-only scans do not read the table.
 *
 * A concurrent snapshot, for example of a background process of the server, delays this. Dies after 20 attempts.
 */
export const cleanUp = Effect.fnUntraced(function* (sql: SqlClient) {
  // VACUUM cannot run in a transaction, and settings apply to one connection.
  const vacuum = Effect.gen(function* () {
    const connection = yield* sql.reserve
    const run = (text: string) => connection.executeUnprepared(text, [], undefined)
    yield* run("SET statement_timeout = 0")
    yield* Effect.ensuring(run("VACUUM ANALYZE"), Effect.ignore(run("RESET statement_timeout")))
  })
  for (let turn = 0; turn < 20; turn++) {
    yield* Effect.scoped(vacuum)
    const [unknown] = yield* sql`
      SELECT sum(greatest(relpages - relallvisible, 0))::int FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`.values
    if (Number(unknown?.[0]) === 0) return
    yield* Effect.sleep("250 millis")
  }
  return yield* Effect.die(new Error("VACUUM left pages that are not all-visible: a transaction stayed open meanwhile"))
})

/** Returns how many resources of each type `seedLists` creates for a number of repositories. */
export const sizesOf = (repositories: number) => ({
  repositories,
  /**
   * The number of repositories of the first organization: two fifths of all.
   *
   * The organization has a team with a fifth of the users. One user owns a twentieth of the other repositories.
   */
  ofFirst: Math.floor(repositories * 0.4),
  users: Math.floor(repositories / 2),
  members: Math.floor(repositories / 10),
  organizations: Math.floor(repositories / 50),
  teams: Math.floor(repositories / 25),
  teamsOfFirst: Math.floor(repositories / 100),
  events: repositories
})

/** Returns the ids of the users, organizations, teams and repositories on which lists are measured. */
export const seededNumbers = (repositories: number) => {
  const { organizations, users } = sizesOf(repositories)
  // The first team of each organization is its owners team. After these comes the all-repositories team of the first
  // organization.
  return { admin: 1, ordinary: 2, organization: users + 1, allOfFirst: organizations + 1, repository: 1 }
}

/** Writes the rows of `seedLists` in one transaction, because session settings apply to only one connection. */
const written = Effect.fnUntraced(function* (sql: SqlClient, repositories: number) {
  const { events, members, ofFirst, organizations, teams, teamsOfFirst, users } = sizesOf(repositories)
  const visibility = (n: string) =>
    sql.literal(
      `CASE WHEN ${n} <= 2 THEN 'public' ELSE (ARRAY['public', 'public', 'public', 'limited', 'private'])[1 + ${n} % 5] END`
    )
  const grams = [
    ["account", "account_grams", "grams"],
    ["email", "email_grams", "grams"],
    ["repository", "repository_grams", "grams"],
    ["repository", "repository_description_grams", "description_grams"]
  ] as const
  yield* sql`SET LOCAL statement_timeout = 0`.unprepared
  // Building an index in one step is faster than adding row by row.
  for (const [, index] of grams) yield* sql`DROP INDEX ${sql(index)}`.unprepared
  yield* sql`
    INSERT INTO account (
      id, name, name_key, full_name, full_name_key, description, website, location, language, theme, diff_view_style,
      hide_email, hide_activity, visibility, active, admin, restricted, prohibited, must_change_password,
      may_create_organizations, may_edit_git_hooks, may_import_local, max_repositories, login_name, source_id,
      created_at, updated_at
    )
    SELECT n, 'user-' || n, 'user-' || n, '', '', '', '', '', '', '', '', false, false, ${visibility("n")}, true, n = 1,
      false, false, false, true, false, false, -1, '', 0, ${moment}::timestamptz, ${moment}::timestamptz
    FROM generate_series(1, ${users}::int) n`
  yield* sql`INSERT INTO owner_name (name_key, user_id, current) SELECT name_key, id, true FROM account`
  yield* sql`
    INSERT INTO email (user_id, address, address_key, verified, primary_of)
    SELECT id, name || '@example.com', name_key || '@example.com', true, id FROM account ORDER BY id`
  yield* sql`
    INSERT INTO organization (
      id, name, name_key, full_name, email, description, website, location, visibility, repo_admin_change_team_access,
      created_at, updated_at
    )
    SELECT ${users}::int + n, 'org-' || n, 'org-' || n, '', '', '', '', '', ${visibility("n")}, false,
      ${moment}::timestamptz, ${moment}::timestamptz
    FROM generate_series(1, ${organizations}::int) n`
  yield* sql`INSERT INTO owner_name (name_key, organization_id, current) SELECT name_key, id, true FROM organization`
  yield* sql`SELECT setval('owner_id', ${users + organizations}::bigint)`
  yield* sql`
    INSERT INTO repository (
      user_id, organization_id, name, name_key, description, website, private, archived, mirror, template, empty,
      default_branch, units, size, created_at, updated_at
    )
    SELECT
      CASE WHEN n > ${ofFirst}::int AND n % 20 = 0 THEN 20
        WHEN n > ${ofFirst}::int AND n % 2 = 0 THEN 1 + n % ${users}::int END,
      CASE WHEN n <= ${ofFirst}::int THEN ${users}::int + 1
        WHEN n % 2 = 1 THEN ${users}::int + 2 + n % (${organizations}::int - 1) END,
      made.name, made.name, '', '', (n / 2) % 2 = 0, false, false, false, false, 'main',
      ${setOfSwitches(switchesBut())}::integer, 0, ${moment}::timestamptz, ${moment}::timestamptz
    FROM generate_series(1, ${repositories}::int) n
    CROSS JOIN LATERAL (SELECT CASE n WHEN 7 THEN 'single' ELSE 'repo-' || n END AS name) made`
  yield* sql`
    INSERT INTO repository_name (owner_id, name_key, repository_id, current)
    SELECT owner_id, name_key, id, true FROM repository`
  const [readable, writable, administered] = setsOf({ "repo.code": 2, "repo.issues": 1 })
  const owners = setsOf(Object.fromEntries(Object.keys(switchesBut()).map((unit) => [unit, 3])))
  yield* sql`
    INSERT INTO team (
      organization_id, name, name_key, description, description_key, owners, readable, writable, administered,
      includes_all, creates, visibility
    )
    SELECT
      ${users}::int + CASE WHEN n <= ${organizations}::int THEN n
        WHEN n <= ${organizations + teamsOfFirst}::int THEN 1 ELSE 2 + n % (${organizations}::int - 1) END,
      'team-' || n, 'team-' || n, '', '', n <= ${organizations}::int,
      CASE WHEN n <= ${organizations}::int THEN ${owners[0]}::int ELSE ${readable}::int END,
      CASE WHEN n <= ${organizations}::int THEN ${owners[1]}::int ELSE ${writable}::int END,
      CASE WHEN n <= ${organizations}::int THEN ${owners[2]}::int ELSE ${administered}::int END,
      n <= ${organizations + 1}::int, n <= ${organizations}::int, (ARRAY['private', 'limited', 'public'])[1 + n % 3]
    FROM generate_series(1, ${teams}::int) n`
  // The first user owns the first organization; the others are in its all-repositories team, or in three random teams.
  yield* sql`
    INSERT INTO team_member (team_id, organization_id, user_id)
    SELECT DISTINCT team.id, team.organization_id, made.member
    FROM (
      SELECT 1 AS team, 1 AS member
      UNION ALL SELECT ${organizations}::int + 1, 1 + n FROM generate_series(1, ${members}::int) n
      UNION ALL SELECT 2 + (n * 31 + k * 7919) % (${teams}::int - 1), n
      FROM generate_series(3, ${users}::int, 3) n, generate_series(1, 3) k
    ) made
    JOIN team ON team.id = made.team
    WHERE made.team <> ${organizations}::int + 1 OR made.member <= ${members}::int + 1`
  yield* sql`
    INSERT INTO public_membership (organization_id, user_id)
    SELECT DISTINCT organization_id, user_id FROM team_member WHERE user_id % 2 = 0`
  yield* sql`
    INSERT INTO team_repository (team_id, repository_id)
    SELECT team.id, held.id FROM team CROSS JOIN LATERAL (
      SELECT repository.id FROM repository
      WHERE repository.owner_id = team.organization_id AND team.organization_id > ${users}::int + 1
      ORDER BY repository.id LIMIT 3
    ) held
    WHERE NOT team.includes_all
    UNION ALL
    SELECT team.id, 1 + (team.id * 3 + k) % ${ofFirst}::int FROM team, generate_series(1, 3) k
    WHERE team.organization_id = ${users}::int + 1 AND NOT team.includes_all`
  yield* sql`
    INSERT INTO collaborator (repository_id, user_id, level)
    SELECT n, 1 + n % ${users}::int, 2 FROM generate_series(1, ${repositories}::int, 5) n`
  yield* sql`
    INSERT INTO event (
      at, action, outcome, actor_id, actor_name, actor_key, signed_in_id, signed_in_name, signed_in_key, credential,
      address, subject_kind, subject_id, subject_name, organization_id, repository_id, details
    )
    SELECT ${moment}::timestamptz + n * interval '1 second',
      CASE WHEN n % 2 = 0 THEN 'repository.edit' ELSE 'repository.create' END, 'done', account.id, account.name,
      account.name_key, account.id, account.name, account.name_key, 'token', '', 'repository', repository.id, repository.name,
      repository.organization_id, repository.id, '{}'
    FROM generate_series(1, ${events}::int) n
    JOIN account ON account.id = CASE WHEN n % 4 = 0 THEN 2 ELSE 1 + n % ${users}::int END
    JOIN repository ON repository.id = n`
  for (const [table, index, column] of grams) {
    yield* sql`CREATE INDEX ${sql(index)} ON ${sql(table)} USING gin (${sql(column)}) WITH (gin_pending_list_limit = 64)`
      .unprepared
  }
})

/**
 * Fills an empty database with users, organizations, teams, repositories and events. The rows are the same for the same
 * number of repositories.
 *
 * A fifth of the users and organizations are hidden; half of the repositories are private.
 */
export const seedLists = Effect.fnUntraced(function* (repositories: number) {
  const sql = yield* SqlClient
  yield* sql.withTransaction(written(sql, repositories))
  yield* cleanUp(sql)
  return seededNumbers(repositories)
})
