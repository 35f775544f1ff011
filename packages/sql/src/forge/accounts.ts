import { nameKey, type Page, type PageRequest } from "@slipway/domain"
import { toSql } from "@slipway/domain/access"
import { type AvatarName, listedUsers, type SeenUser, type User, type UserId, type Viewer } from "@slipway/domain/forge"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { boolean, type Column, elsewhere, integer, nullable, text, time } from "../collection/columns.ts"
import { countedPage, type Order } from "./pages.ts"
import { reader } from "./rows.ts"
import { tiedTo } from "./tied.ts"
import { userParameter } from "./userParameter.ts"

export { userParameter }

/** What users and administrators set. */
const set = {
  fullName: text("full_name"),
  description: text("description"),
  website: text("website"),
  location: text("location"),
  language: text("language"),
  theme: text("theme"),
  diffViewStyle: text("diff_view_style"),
  hideEmail: boolean("hide_email"),
  hideActivity: boolean("hide_activity"),
  visibility: text<User["visibility"]>("visibility"),
  active: boolean("active"),
  admin: boolean("admin"),
  restricted: boolean("restricted"),
  prohibited: boolean("prohibited"),
  mustChangePassword: boolean("must_change_password"),
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
  email: elsewhere(
    "email",
    (user) => `(SELECT email.address FROM email WHERE email.user_id = ${user}.id AND email.is_primary)`
  ),
  secondFactor: {
    ...boolean("second_factor"),
    expression: (user: string) =>
      `EXISTS (SELECT FROM second_factor WHERE second_factor.user_id = ${user}.id AND second_factor.confirmed)`
  },
  avatar: nullable(text<AvatarName>("avatar")),
  lastSignInAt: nullable(time("last_sign_in_at")),
  createdAt: time("created_at")
}

/** Reads users. */
export const userReader = reader<User>(users)

/** The columns that users and administrators set, with what makes the parameters for them. */
export const setColumns = Object.values(set)
  .map((column) => column.name)
  .concat("full_name_key")
  .join(", ")

/** Returns the parameters for the columns that users and administrators set. */
export const setParameters = (user: Pick<User, keyof typeof set>): ReadonlyArray<unknown> => [
  // BOUNDARY: each column is given the fact it is declared for.
  ...Object.entries(set).map(([name, column]) =>
    (column.write as (value: unknown) => unknown)(user[name as keyof typeof set])
  ),
  nameKey(user.fullName)
]

/** Where lists of people are read: the table, and its columns for the number, the name and the visibility of a user. */
const peopleIn = {
  account: ["id", "name_key", "visibility"],
  collaborator: ["user_id", "user_key", "user_visibility"],
  public_membership: ["user_id", "user_key", "user_visibility"],
  team_member: ["user_id", "user_key", "user_visibility"]
} as const

/** A table that has a row for each of some people. */
export type PeopleTable = keyof typeof peopleIn

const columnsOf = (table: PeopleTable): string => {
  const [id, key, visibility] = peopleIn[table]
  return `${table}.*, ${table}.${id} AS person_id, ${table}.${key} AS person_key, ${table}.${visibility} AS "userVisibility"`
}

/**
 * Returns the people of a table that a viewer sees, as a source to select from under an alias.
 *
 * Its rows have `person_id` and `person_key`, by which people are sorted, besides the columns of the table.
 */
export const seenUsers = (sql: SqlClient, viewer: Viewer, alias: string, table: PeopleTable = "account") => ({
  from: sql`(
    SELECT ${sql.literal(columnsOf(table))},
      ${viewer.facts.restricted ? sql`${sql.literal(`${table}.${peopleIn[table][0]}`)} IN ${tiedTo(sql, viewer)}` : sql`false`} AS "tied",
      ${sql.literal(`${table}.${peopleIn[table][0]}`)} IS NOT DISTINCT FROM ${userParameter(viewer.userId)}::bigint AS "self"
    FROM ${sql.literal(table)}
  ) ${sql.literal(alias)}`,
  where: sql.literal(toSql(listedUsers(viewer), alias))
})

/** Returns all people of a table, as `seenUsers` does those whom a viewer sees. */
export const allUsers = (sql: SqlClient, alias: string, table: PeopleTable) => ({
  from: sql.literal(`(SELECT ${columnsOf(table)} FROM ${table}) ${alias}`),
  where: sql.literal("true")
})

const followed: Column<number> = { ...integer("followers"), expression: () => "follows.followers" }

const seenReader = reader<SeenUser>({
  ...users,
  followers: followed,
  following: { ...followed, expression: () => "follows.following" },
  starred: { ...followed, expression: () => "follows.starred" }
})

/** The order of people by their name. */
export const byPersonName: Order = { by: [["seen.person_key", "text"]] }

/** Reads one page of users that a viewer sees, with the number of all of them, in one statement. */
export const seenPage = (
  sql: SqlClient,
  viewer: Viewer,
  source: {
    /** The table that the people are read from, called `seen`; accounts unless it is said. */
    readonly people?: PeopleTable
    readonly join?: Fragment
    readonly where: Fragment
    /** By name unless it is said. */
    readonly order?: Order
    /** Whether users that the viewer doesn't see are listed too; they are not counted among follows. */
    readonly hiddenToo?: boolean
    /** Whether somebody comes more than once. */
    readonly repeats?: boolean
    readonly planned?: boolean
    /** Another condition with the same meaning, as a page has it. */
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
  const other = seenUsers(sql, viewer, "other")
  const counted = (from: string, to: string) => sql`(
    SELECT count(*)::float8 FROM follow JOIN ${other.from} ON other.id = follow.${sql.literal(from)}
    WHERE follow.${sql.literal(to)} = page.id AND ${other.where}
  )`
  // Whoever asks, it is the same: what they starred and not everybody sees is told to nobody.
  const starred = sql.literal(`(
    SELECT count(*)::float8 FROM star JOIN repository ON repository.id = star.repository_id
    WHERE star.user_id = page.id AND NOT repository.private AND repository.owner_visibility = 'public'
  )`)
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
      join: sql`
        LEFT JOIN LATERAL (
          SELECT ${counted("follower", "followed")} AS followers, ${counted("followed", "follower")} AS following, ${starred} AS starred
        ) follows ON page.id IS NOT NULL`
    },
    page
  )
}
