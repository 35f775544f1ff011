import { PgTypes } from "@effect/sql-pg"
import { nameKey, type Page, type PageRequest, windowOf } from "@slipway/domain"
import { toSql } from "@slipway/domain/access"
import {
  type AvatarName,
  type OwnerId,
  type SeenUser,
  type User,
  type UserId,
  type Viewer,
  visibleUsers
} from "@slipway/domain/forge"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { boolean, elsewhere, integer, nullable, text, time } from "../collection/columns.ts"
import { orDieSql } from "../SqlErrors.ts"
import { reader } from "./rows.ts"

/** The number of a user or an organization, as a parameter. */
export const userParameter = (id: OwnerId | undefined): unknown => (id === undefined ? null : PgTypes.int8(BigInt(id)))

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

/** Returns the users as a sub-select with the facts that decide who sees them. */
const withVisibility = (sql: SqlClient, viewer: Viewer): Fragment => sql`(
  SELECT account.*, account.visibility AS "userVisibility",
    account.id IS NOT DISTINCT FROM ${userParameter(viewer.userId)}::bigint AS "self"
  FROM account
)`

/** Returns the users that a viewer sees, as a source to select from under an alias. */
export const seenUsers = (sql: SqlClient, viewer: Viewer, alias: string) => ({
  from: sql`${withVisibility(sql, viewer)} ${sql.literal(alias)}`,
  where: sql.literal(toSql(visibleUsers(viewer), alias))
})

const seenReader = reader<SeenUser>({
  ...users,
  followers: integer("followers"),
  following: integer("following")
})

/**
 * Reads one page of users that a viewer sees, with the number of all of them, in one statement.
 *
 * `source` joins and filters what stands behind `FROM`; it calls the users `seen`. `order` is an expression over them.
 */
export const seenPage = (
  sql: SqlClient,
  viewer: Viewer,
  source: {
    readonly join: Fragment
    readonly where: Fragment
    readonly order: string
    /** Whether users that the viewer doesn't see are listed too; they are not counted among follows. */
    readonly hiddenToo?: boolean
  },
  page: PageRequest
): Effect.Effect<Page<SeenUser>> => {
  const { limit, skip = 0 } = windowOf(page)
  const seen = seenUsers(sql, viewer, "seen")
  const other = seenUsers(sql, viewer, "other")
  const order = sql.literal(source.order)
  const counted = (from: string, to: string) => sql`(
    SELECT count(*) FROM follow JOIN ${other.from} ON other.id = follow.${sql.literal(from)}
    WHERE follow.${sql.literal(to)} = page.id AND ${other.where}
  )`
  const shown = source.hiddenToo === true ? sql`true` : seen.where
  const matching = sql`FROM ${seen.from} ${source.join} WHERE ${source.where} AND ${shown}`
  return orDieSql(
    sql`
    SELECT counted.total, ${sql.literal(seenReader.of("page"))}
    FROM (SELECT count(*)::float8 AS total ${matching}) counted
    LEFT JOIN LATERAL (
      SELECT page.*, ${counted("follower", "followed")} AS followers, ${counted("followed", "follower")} AS following
      FROM (SELECT seen.*, ${order} AS place ${matching} ORDER BY ${order} LIMIT ${limit} OFFSET ${skip}) page
    ) page ON true
    ORDER BY page.place`.values
  ).pipe(
    Effect.map((rows) => ({
      rows: rows.flatMap((values) => seenReader.read(values, 1) ?? []),
      total: Number(rows[0]?.[0])
    }))
  )
}
