import type { Page } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { InterestStore } from "@slipway/domain/forge/code"
import { type IssueId, IssueStore, NotificationStore, TimeStore } from "@slipway/domain/forge/collaboration"
import { EventStore } from "@slipway/domain/forge/events"
import {
  FollowStore,
  type OrganizationId,
  OrganizationStore,
  type TeamId,
  TeamStore,
  type UserId,
  type Viewer
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { viewerOf } from "./lists.ts"
import { cleanUp, type seededNumbers, sizesOf } from "./seed.ts"

const moment = "timestamptz '2026-01-01T00:00:00.000Z'"
const copies = "private, owner_visibility, owner_user_id, owner_organization_id, units"
const copied = "repository.private, owner_visibility, repository.user_id, repository.organization_id, units"
const first = { page: 1, perPage: 30 }
const inAllTeams = 5

/** Writes the rows of `seedInterests` in one transaction, because session settings apply to only one connection. */
const written = Effect.fnUntraced(function* (sql: SqlClient, users: number) {
  const run = (text: string) => sql`${sql.literal(text)}`.unprepared
  yield* run("SET LOCAL statement_timeout = 0")
  yield* run("SET LOCAL session_replication_role = replica")
  yield* run(`
    INSERT INTO follow (follower, followed, follower_visibility, followed_visibility)
    SELECT id, 2, visibility, 'public' FROM account WHERE id <> 2
    UNION ALL SELECT 2, id, 'public', visibility FROM account WHERE id <> 2`)
  yield* run(`
    INSERT INTO follow_count
    SELECT 2, visibility, count(*), count(*) FROM account WHERE id <> 2 GROUP BY visibility
    UNION ALL SELECT id, 'public', 1, 1 FROM account WHERE id <> 2`)
  yield* run(`
    INSERT INTO star (user_id, repository_id, created_at, user_visibility, ${copies})
    SELECT account.id, repository.id, ${moment}, account.visibility, ${copied}
    FROM account JOIN repository ON account.id = 2
    UNION ALL SELECT account.id, repository.id, ${moment}, account.visibility, ${copied}
    FROM account JOIN repository ON repository.id = 1 AND account.id <> 2`)
  yield* run(`
    INSERT INTO starred_count SELECT user_id, count(*) FROM star
    WHERE NOT private AND owner_visibility = 'public' GROUP BY user_id`)
  yield* run(`
    INSERT INTO watch (user_id, repository_id, watching, created_at, user_visibility, ${copies})
    SELECT user_id, repository_id, true, created_at, user_visibility, ${copies} FROM star`)
  yield* run(`
    INSERT INTO issue (repository_id, number, pull, title, body, content_version, state, author_id, ref, locked, lock_reason,
      pin_order, time_estimate, created_at, updated_at)
    SELECT CASE WHEN n % 2 = 0 THEN 1 ELSE n END, n, n % 4 = 3, 'Issue ' || n, '', 0, CASE WHEN n % 3 = 0 THEN 'closed' ELSE 'open' END,
      1 + n % 100, '', false, '', 0, 0, ${moment}, ${moment} + n * interval '1 second'
    FROM generate_series(1, ${users}) n`)
  yield* run(`
    INSERT INTO listed_issue (issue_id, repository_id, pull, state, ${copies})
    SELECT issue.id, repository_id, pull, state, ${copied} FROM issue JOIN repository ON repository.id = issue.repository_id
    ON CONFLICT DO NOTHING`)
  yield* run(`
    INSERT INTO team_member (team_id, organization_id, user_id, user_key, user_visibility, organization_key,
      organization_visibility, team_key, team_visibility, owners)
    SELECT team.id, organization.id, account.id, account.name_key, account.visibility, organization.name_key,
      organization.visibility, team.name_key, team.visibility, team.owners
    FROM team JOIN organization ON organization.id = team.organization_id JOIN account ON account.id = ${inAllTeams}
    ON CONFLICT DO NOTHING`)
  yield* run(`
    INSERT INTO issue_subscription (issue_id, user_id, subscribed, created_at, user_visibility)
    SELECT 2, id, true, ${moment}, visibility FROM account`)
  yield* run(`
    INSERT INTO notification (user_id, repository_id, issue_id, status, updated_at, pull)
    SELECT 2, repository_id, id, CASE WHEN id % 3 = 0 THEN 'read' ELSE 'unread' END, updated_at, pull FROM issue`)
  yield* run(`
    INSERT INTO tracked_time (issue_id, user_id, seconds, created_at)
    SELECT 2, 2, n, ${moment} + n * interval '1 second' FROM generate_series(1, ${users}) n`)
})

/**
 * Creates follows, stars, watches and notifications for the users of `seedLists`.
 *
 * - All users follow the second user, who follows them, and all star and watch the first repository.
 * - The second user stars and watches all repositories, and has one notification for each issue. There are as many
 *   issues as users.
 * - All users subscribe to the second issue, on which the second user has tracked times.
 * - The fifth user is in all teams.
 *
 * The rows that triggers would write one by one are written in bulk.
 */
export const seedInterests = Effect.fnUntraced(function* (repositories: number) {
  const sql = yield* SqlClient
  yield* sql.withTransaction(written(sql, sizesOf(repositories).users))
  yield* cleanUp(sql)
})

/** Returns the queries for follows, stars, watches and activities that are measured on the rows of `seedInterests`. */
export const measuredInterests = (numbers: ReturnType<typeof seededNumbers>) =>
  Effect.gen(function* () {
    const viewer = yield* viewerOf(numbers.ordinary)
    const joiner = yield* viewerOf(inAllTeams)
    const organizations = yield* OrganizationStore
    const teams = yield* TeamStore
    const organizationsOf = (viewer: Viewer, concealedToo: boolean) =>
      organizations.ofUser(viewer, inAllTeams as UserId, { concealedToo }, first)
    const follows = yield* FollowStore
    const interests = yield* InterestStore
    const notificationStore = yield* NotificationStore
    const issues = yield* IssueStore
    const events = yield* EventStore
    const times = yield* TimeStore
    const user = numbers.ordinary as UserId
    const repository = numbers.repository as RepositoryId
    const organization = numbers.organization as OrganizationId
    const team = { id: numbers.allOfFirst as TeamId, organizationId: organization }
    const issue = 2 as IssueId
    const inRepository = { repositoryId: repository, issues: true, pulls: true }
    const feed = (of: Parameters<typeof events.feed>[1]["of"]) => events.feed(viewer, { of, privateToo: true }, first)
    const lists: Readonly<Record<string, Effect.Effect<Page<unknown>>>> = {
      "followers of a user": follows.followers(viewer, user, first),
      "users that a user follows": follows.following(viewer, user, first),
      "who starred a repository": interests.users(viewer, "star", repository, first),
      "who watches a repository": interests.users(viewer, "watch", repository, first),
      "repositories that a user starred": interests.repositories(viewer, "star", user, first),
      "repositories that a user watches": interests.repositories(viewer, "watch", user, first),
      "who subscribed to an issue": notificationStore.subscribers(viewer, issue, first),
      "news, all": notificationStore.list(viewer, {}, first),
      "news, unread": notificationStore.list(viewer, { statuses: ["unread", "pinned"] }, first),
      "notifications of a repository": notificationStore.list(viewer, { repositoryId: repository }, first),
      "open issues of all": issues.search({ viewer }, { state: "open" }, "newest", first),
      "open issues of a repository": issues.search(inRepository, { state: "open", pull: false }, "newest", first),
      "feed of an organization": feed({ organization }),
      "feed of a team": feed({ team }),
      "feed of a user": feed({ user }),
      "organizations of a user": organizationsOf(joiner, true),
      "organizations of a user, anonymous": organizationsOf(yield* viewerOf(0), false),
      "organizations of a user, an administrator": organizationsOf(yield* viewerOf(numbers.admin), true),
      "teams of a user": teams.ofUser(joiner, inAllTeams as UserId, first),
      "tracked times of a user": times.list({ viewer }, { userId: user }, first)
    }
    return lists
  })
