import { toSql } from "@slipway/access"
import { nameKey, type Page, type PageRequest } from "@slipway/domain"
import {
  type AvatarName,
  listedUsers,
  type SeenUser,
  type User,
  type UserId,
  userSettings,
  type Viewer
} from "@slipway/domain/forge/identity"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { boolean, type Column, integer, nullable, readFromTable, text, time } from "../../collection/columns.ts"
import { settingColumns } from "../../owned/table.ts"
import { countedPage, type Order } from "../base/pages.ts"
import { reader, writer } from "../base/rows.ts"
import { usersSharingMembership } from "./relations.ts"
import { userParameter } from "./userParameter.ts"

export { userParameter }

const set = {
  ...settingColumns(userSettings),
  visibility: text<User["visibility"]>("visibility"),
  active: boolean("active"),
  admin: boolean("admin"),
  restricted: boolean("restricted"),
  prohibited: boolean("prohibited"),
  mustChangePassword: boolean("must_change_password"),
  awaitsApproval: boolean("awaits_approval"),
  mayCreateOrganizations: boolean("may_create_organizations"),
  mayEditGitHooks: boolean("may_edit_git_hooks"),
  mayImportLocal: boolean("may_import_local"),
  maxRepositories: integer("max_repositories"),
  loginName: text("login_name"),
  sourceId: integer("source_id"),
  updatedAt: time("updated_at")
}

const users = {
  id: integer<UserId>("id"),
  name: text("name"),
  ...set,
  email: readFromTable("email", (user) => `(SELECT email.address FROM email WHERE email.primary_of = ${user}.id)`),
  secondFactor: {
    ...boolean("second_factor"),
    expression: (user: string) =>
      `EXISTS (SELECT FROM second_factor WHERE second_factor.user_id = ${user}.id AND second_factor.confirmed)`
  },
  system: boolean("system"),
  avatar: nullable(text<AvatarName>("avatar")),
  lastSignInAt: nullable(time("last_sign_in_at")),
  createdAt: time("created_at")
}

/** Reads users from column values. */
export const userReader = reader<User>(users)

/** Writes the columns of users that users and administrators can change. */
export const userWriter = writer(set, { full_name_key: (user) => nameKey(user.fullName) })

/**
 * The tables that can be the source of a list of users. Each has a column for the id and the visibility of a user, and
 * some have one for the name.
 */
const peopleIn = {
  account: { table: "account", id: "id", visibility: "visibility", key: "name_key" },
  blocked: { table: "block", id: "blocked", visibility: "blocked_visibility", key: undefined },
  collaborator: { table: "collaborator", id: "user_id", visibility: "user_visibility", key: "user_key" },
  followed: { table: "follow", id: "followed", visibility: "followed_visibility", key: undefined },
  follower: { table: "follow", id: "follower", visibility: "follower_visibility", key: undefined },
  publicMember: { table: "public_membership", id: "user_id", visibility: "user_visibility", key: "user_key" },
  star: { table: "star", id: "user_id", visibility: "user_visibility", key: undefined },
  subscriber: { table: "issue_subscription", id: "user_id", visibility: "user_visibility", key: undefined },
  teamMember: { table: "team_member", id: "user_id", visibility: "user_visibility", key: "user_key" },
  watch: { table: "watch", id: "user_id", visibility: "user_visibility", key: undefined }
} as const

/** The names of the sources for lists of users. */
export type People = keyof typeof peopleIn

const columnsOf = (people: People): string => {
  const { id, key, table, visibility } = peopleIn[people]
  const sorted = key === undefined ? "" : `${table}.${key} AS person_key, `
  return `${table}.*, ${table}.${id} AS person_id, ${sorted}${table}.${visibility} AS "userVisibility"`
}

/**
 * Returns the SQL source of the users in a table, with an alias, and the condition that a viewer sees them.
 *
 * The rows have the columns of the table, `person_id` and, if the table has names, `person_key`.
 */
export const seenUsers = (sql: SqlClient, viewer: Viewer, alias: string, people: People = "account") => {
  const { id, table } = peopleIn[people]
  const person = sql.literal(`${table}.${id}`)
  return {
    from: sql`(
    SELECT ${sql.literal(columnsOf(people))},
      ${viewer.facts.restricted ? sql`${person} IN ${usersSharingMembership(sql, viewer)}` : sql`false`} AS "tied",
      ${person} IS NOT DISTINCT FROM ${userParameter(viewer.userId)}::bigint AS "self"
    FROM ${sql.literal(table)}
  ) ${sql.literal(alias)}`,
    where: sql.literal(toSql(listedUsers(viewer), alias))
  }
}

/** Returns the SQL source of all users in a table, with the same columns as `seenUsers`. */
export const allUsers = (sql: SqlClient, alias: string, people: People) => ({
  from: sql.literal(`(SELECT ${columnsOf(people)} FROM ${peopleIn[people].table}) ${alias}`),
  where: sql.literal("true")
})

const counter = (name: string): Column<number> => ({ ...integer(name), expression: () => `counted.${name}` })

const seenReader = reader<SeenUser>({
  ...users,
  followers: counter("followers"),
  following: counter("following"),
  starred: counter("starred")
})

/**
 * Joins the numbers of followers, followed users and starred repositories to users with the alias `page`.
 *
 * A follow counts if the viewer can see the other user; a star counts if the repository is public. Stored counts by
 * visibility cover the users that other viewers can see too. Follows of users who are visible only to this viewer are
 * counted individually: those of the viewer, and those of users who share a membership with the viewer.
 */
const joinCounts = (sql: SqlClient, viewer: Viewer): Fragment => {
  const listed = listedUsers(viewer)
  const near = seenUsers(sql, viewer, "near")
  const strange = (visibility: string, alias: string) =>
    sql.literal(`LATERAL (SELECT ${visibility} AS "userVisibility", false AS "tied", false AS "self") ${alias}`)
  const self = sql`SELECT ${userParameter(viewer.userId)}::bigint`
  const others = sql`ARRAY(
    SELECT near.id FROM ${near.from} CROSS JOIN ${strange(`near."userVisibility"`, "far")}
    WHERE near.id IN (${viewer.facts.restricted ? sql`${self} UNION SELECT * FROM ${usersSharingMembership(sql, viewer)} tied` : self})
      AND ${near.where} AND NOT (${sql.literal(toSql(listed, "far"))})
  )`
  // Each separately: PostgreSQL would scan all follows of a person rather than look up a few of them.
  const besides = (from: string, to: string) => sql`(
    SELECT coalesce(sum((
      SELECT count(*) FROM follow WHERE follow.${sql.literal(to)} = page.id AND follow.${sql.literal(from)} = other.id
    )), 0) FROM unnest(${others}) AS other (id)
  )`
  return sql`
    LEFT JOIN LATERAL (
      SELECT
        (coalesce(sum(known.followers), 0) + ${besides("follower", "followed")})::float8 AS followers,
        (coalesce(sum(known.following), 0) + ${besides("followed", "follower")})::float8 AS following,
        coalesce((SELECT starred FROM starred_count WHERE starred_count.user_id = page.id), 0)::float8 AS starred
      FROM follow_count known CROSS JOIN ${strange("known.visibility", "other")}
      WHERE known.user_id = page.id AND ${sql.literal(toSql(listed, "other"))}
    ) counted ON page.id IS NOT NULL`
}

/** The order of users by name. */
export const byPersonName: Order = { by: [["seen.person_key", "text"]] }

/** Reads one page of the users that a viewer can see, with the total number, in one statement. */
export const seenPage = (
  sql: SqlClient,
  viewer: Viewer,
  source: {
    /** The table from which users are read, with the alias `seen`; `account` by default. */
    readonly people?: People
    readonly join?: Fragment
    readonly where: Fragment
    /** Ordered by name by default. */
    readonly order?: Order
    /** Whether hidden users are listed too; they don't count among follows. */
    readonly hiddenToo?: boolean
    /** Whether a user may occur more than once. */
    readonly repeats?: boolean
    readonly planned?: boolean
    /** An equivalent condition, as in `PageSource`. */
    readonly instead?: { readonly when: Fragment; readonly where: Fragment } | undefined
  },
  page: PageRequest
): Effect.Effect<Page<SeenUser>> => {
  const {
    hiddenToo = false,
    join = sql``,
    order = byPersonName,
    people = "account",
    instead,
    planned = false,
    repeats = false,
    where
  } = source
  const seen = seenUsers(sql, viewer, "seen", people)
  return countedPage(
    sql,
    seenReader,
    {
      table: "account",
      from: sql`${seen.from} ${join}`,
      where: sql`${where} AND ${hiddenToo ? sql`true` : seen.where}`,
      instead: instead && {
        when: instead.when,
        where: sql`${instead.where} AND ${hiddenToo ? sql`true` : seen.where}`
      },
      order,
      id: "seen.person_id",
      repeats,
      planned,
      join: joinCounts(sql, viewer)
    },
    page
  )
}
