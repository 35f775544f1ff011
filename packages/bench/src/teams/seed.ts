import { switchesBut } from "@slipway/domain/forge/code"
import type { OrganizationId, TeamId, UserId } from "@slipway/domain/forge/identity"
import { setOfSwitches, setsOf } from "@slipway/sql/forge"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seededRandom } from "../support/numbers.ts"

/** The number of seeded resources of each type. */
export const sizes = {
  organizations: 500,
  users: 5_000,
  teams: 2_000,
  repositories: 25_000,
  /**
   * The number of repositories of the first organization, all in one team; `small` is that of the second organization.
   */
  big: 10_000,
  small: 10,
  collaborators: 5_000
} as const

const batch = 5_000
const moment = "2026-01-01T00:00:00.000Z"
const visibilities = ["public", "public", "public", "limited", "private"] as const

/** The ids and names of seeded users, organizations and teams that the measurements use. */
export interface Seeded {
  readonly big: OrganizationId
  readonly small: OrganizationId
  readonly allOfBig: TeamId
  /** The name of an ordinary user who is a member of a few teams. */
  readonly ordinary: string
  readonly owner: string
  readonly joining: UserId
  readonly joiningName: string
}

/** Fills an empty database with organizations, users, teams and repositories. The data is the same in every run. */
export const seed = Effect.fnUntraced(function* (progress: (what: string, done: number, of: number) => void) {
  const sql = yield* SqlClient
  const random = seededRandom(7)
  const below = (limit: number) => Math.floor(random() * limit)
  const range = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  const inBatches = Effect.fnUntraced(function* (
    what: string,
    count: number,
    insert: (numbers: ReadonlyArray<number>) => Effect.Effect<unknown, unknown>
  ) {
    for (let done = 0; done < count; done += batch) {
      yield* insert(range(Math.min(batch, count - done)).map((n) => done + n))
      progress(what, Math.min(count, done + batch), count)
    }
  })

  // Users have the ids from 1 on, organizations those after them.
  const userCount = sizes.users
  const organizationId = (n: number) => userCount + n
  yield* inBatches("users", userCount, (numbers) =>
    Effect.gen(function* () {
      const seen = numbers.map(() => visibilities[below(visibilities.length)])
      yield* sql`
        INSERT INTO account (
          id, name, name_key, full_name, full_name_key, description, website, location, language, theme, diff_view_style,
          hide_email, hide_activity, visibility, active, admin, restricted, prohibited, must_change_password,
          may_create_organizations, may_edit_git_hooks, may_import_local, max_repositories, login_name, source_id,
          created_at, updated_at
        )
        SELECT id, 'user-' || id, 'user-' || id, '', '', '', '', '', '', '', '', false, false, visibility, true, false, false,
          false, false, true, false, false, -1, '', 0, ${moment}::timestamptz, ${moment}::timestamptz
        FROM unnest(${numbers}::int8[], ${seen}::text[]) AS made (id, visibility)`
      yield* sql`
        INSERT INTO owner_name (name_key, user_id, current)
        SELECT 'user-' || id, id, true FROM unnest(${numbers}::int8[]) AS made (id)`
      yield* sql`
        INSERT INTO email (user_id, address, address_key, verified, primary_of)
        SELECT id, 'user-' || id || '@example.com', 'user-' || id || '@example.com', true, id
        FROM unnest(${numbers}::int8[]) AS made (id)`
    })
  )
  yield* inBatches("organizations", sizes.organizations, (numbers) =>
    Effect.gen(function* () {
      const ids = numbers.map(organizationId)
      const seen = numbers.map((n) => (n <= 2 ? "public" : visibilities[below(visibilities.length)]))
      yield* sql`
        INSERT INTO organization (
          id, name, name_key, full_name, email, description, website, location, visibility,
          repo_admin_change_team_access, created_at, updated_at
        )
        SELECT id, 'org-' || id, 'org-' || id, '', '', '', '', '', visibility, false, ${moment}::timestamptz,
          ${moment}::timestamptz
        FROM unnest(${ids}::int8[], ${seen}::text[]) AS made (id, visibility)`
      yield* sql`
        INSERT INTO owner_name (name_key, organization_id, current)
        SELECT 'org-' || id, id, true FROM unnest(${ids}::int8[]) AS made (id)`
    })
  )
  yield* sql`SELECT setval('owner_id', ${userCount + sizes.organizations})`

  const units = setOfSwitches(switchesBut())
  yield* inBatches("repositories", sizes.repositories, (numbers) =>
    Effect.gen(function* () {
      const rows = numbers.map((n) => {
        const group =
          n <= sizes.big
            ? 1
            : n <= sizes.big + sizes.small
              ? 2
              : random() < 0.6
                ? 3 + below(sizes.organizations - 2)
                : 0
        return { n, group: group === 0 ? 0 : organizationId(group), user: group === 0 ? 1 + below(userCount) : 0 }
      })
      yield* sql`
        INSERT INTO repository (
          user_id, organization_id, name, name_key, description, website, private, archived, mirror, template, empty,
          default_branch, units, size, created_at, updated_at
        )
        SELECT nullif(owner, 0), nullif(organization, 0), 'repo-' || n, 'repo-' || n, '', '', hidden, false, false, false, false, 'main',
          ${units}::integer, 0, ${moment}::timestamptz, ${moment}::timestamptz
        FROM unnest(
          ${rows.map(({ user }) => user)}::int8[], ${rows.map(({ group }) => group)}::int8[],
          ${rows.map(({ n }) => n)}::int8[], ${rows.map(() => random() < 0.5)}::bool[]
        ) AS made (owner, organization, n, hidden)`
    })
  )
  yield* sql`
    INSERT INTO repository_name (owner_id, name_key, repository_id, current)
    SELECT owner_id, name_key, id, true FROM repository`

  const [readable, writable, administered] = setsOf({ "repo.code": 2, "repo.issues": 1 })
  const owners = setsOf(Object.fromEntries(Object.keys(switchesBut()).map((unit) => [unit, 3])))
  yield* inBatches("teams", sizes.teams, (numbers) =>
    Effect.gen(function* () {
      const rows = numbers.map((n) => {
        const isOwners = n <= sizes.organizations
        const sets = isOwners ? owners : [readable, writable, administered]
        const group = isOwners ? n : n === sizes.organizations + 1 ? 1 : 1 + below(sizes.organizations)
        return { n, group: organizationId(group), isOwners, all: isOwners || n === sizes.organizations + 1, sets }
      })
      yield* sql`
        INSERT INTO team (
          organization_id, name, name_key, description, description_key, owners, readable, writable, administered,
          includes_all, creates, visibility
        )
        SELECT organization, name, lower(name), '', '', owners, readable, writable, administered, whole, owners, 'private'
        FROM unnest(
          ${rows.map(({ group }) => group)}::int8[], ${rows.map(({ isOwners, n }) => (isOwners ? "Owners" : `team-${n}`))}::text[],
          ${rows.map(({ isOwners }) => isOwners)}::bool[], ${rows.map(({ sets }) => sets[0])}::int4[],
          ${rows.map(({ sets }) => sets[1])}::int4[], ${rows.map(({ sets }) => sets[2])}::int4[],
          ${rows.map(({ all }) => all)}::bool[]
        ) AS made (organization, name, owners, readable, writable, administered, whole)`
    })
  )
  const members = range(sizes.teams).flatMap((team) =>
    // The first user owns the measured organizations, so that measurements use a single user.
    [...new Set([...(team <= 2 ? [1] : []), ...range(2 + below(12)).map(() => 2 + below(userCount - 2))])].map(
      (user) => ({
        team,
        user
      })
    )
  )
  yield* sql`
    INSERT INTO team_member (team_id, organization_id, user_id)
    SELECT team.id, team.organization_id, made.member
    FROM unnest(${members.map(({ team }) => team)}::int8[], ${members.map(({ user }) => user)}::int8[]) AS made (of, member)
    JOIN team ON team.id = made.of
    ON CONFLICT DO NOTHING`
  progress("memberships", members.length, members.length)
  yield* sql`
    INSERT INTO team_repository (team_id, repository_id)
    SELECT team.id, held.id FROM team
    CROSS JOIN LATERAL (
      SELECT repository.id FROM repository
      WHERE repository.organization_id = team.organization_id AND NOT team.includes_all ORDER BY (repository.id * 7919) % 1009
      LIMIT 8
    ) held`
  const collaborators = range(sizes.collaborators).map(() => ({
    repository: 1 + below(sizes.repositories),
    user: 2 + below(userCount - 2)
  }))
  yield* sql`
    INSERT INTO collaborator (repository_id, user_id, level)
    SELECT repository, member, 2 FROM unnest(
      ${collaborators.map(({ repository }) => repository)}::int8[], ${collaborators.map(({ user }) => user)}::int8[]
    ) AS made (repository, member)
    ON CONFLICT DO NOTHING`
  progress("collaborators", collaborators.length, collaborators.length)
  yield* sql`VACUUM ANALYZE`.unprepared
  return {
    big: organizationId(1) as OrganizationId,
    small: organizationId(2) as OrganizationId,
    allOfBig: (sizes.organizations + 1) as TeamId,
    ordinary: "user-77",
    owner: "user-1",
    joining: userCount as UserId,
    joiningName: `user-${userCount}`
  } satisfies Seeded
})
