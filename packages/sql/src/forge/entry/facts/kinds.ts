import { nameKey } from "@slipway/domain"
import { type ItemKind, itemKinds } from "@slipway/domain/forge/access"
import type { Owner } from "@slipway/domain/forge/code"
import type { ItemKeys, LoadedKind, LoadedResources, Target } from "@slipway/domain/forge/entry"
import { type NamedAccountFacts, organizationAsUser } from "@slipway/domain/forge/identity"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../../collection/collection.ts"
import { ownerDocument, repositoryWithGrantsReader } from "../../code/repositories.ts"
import { userReader } from "../../identity/accounts.ts"
import { grantsReader, joinGrants, joinMembership, membershipReader } from "../../identity/grants.ts"
import { organizationReader } from "../../identity/organizations.ts"
import { teamReader } from "../../identity/teams.ts"
import { idParameter } from "../../identity/units.ts"
import { itemJoins } from "../items.ts"

type Values = ReadonlyArray<unknown>

/**
 * The resource that a request names, for SQL statements that are built once and run with many targets.
 *
 * `like` is an example target that determines the SQL text. `read` makes a parameter that takes its value from the
 * actual target.
 */
export interface TargetParameters<T> {
  readonly like: T
  readonly read: (value: (target: T) => unknown) => unknown
}

/** Returns the parameters for a part of a target. */
const partOf = <T, P>({ like, read }: TargetParameters<T>, part: (target: T) => P): TargetParameters<P> => ({
  like: part(like),
  read: (value) => read((target) => value(part(target)))
})

/** The part of the authorization statement for one resource type. */
export interface LoadedKindSql<K extends LoadedKind> {
  readonly columns: string
  /** Joins the resource, and the access of the actor to it. `user` is the SQL expression for the id of the actor. */
  readonly join: (sql: SqlClient, target: TargetParameters<Target<K>>, user: string) => Fragment
  readonly read: (values: Values, at: number) => LoadedResources[K] | undefined
}

const user: LoadedKindSql<"user"> = {
  columns: `${userReader.of("about_user")}, about_user_name.current`,
  join: (sql, { read }) => sql`
    LEFT JOIN owner_name about_user_name ON about_user_name.name_key = ${read(({ name }) => lookup(nameKey(name)))}
    LEFT JOIN account about_user ON about_user.id = about_user_name.user_id`,
  read: (values, at) => {
    const user = userReader.read(values, at)
    return user && { user, renamed: values[at + userReader.width] === false }
  }
}

const organization: LoadedKindSql<"organization"> = {
  columns: `${organizationReader.of("about")}, about_name.current, ${membershipReader.of("membership")}`,
  join: (sql, { read }, user) => sql`
    LEFT JOIN owner_name about_name ON about_name.name_key = ${read(({ organization }) => lookup(nameKey(organization)))}
    LEFT JOIN organization about ON about.id = about_name.organization_id
    ${joinMembership(sql, user, "about.id")}`,
  read: (values, at) => {
    const organization = organizationReader.read(values, at)
    const joined = membershipReader.read(values, at + organizationReader.width + 1)
    if (organization === undefined || joined === undefined) return undefined
    const { inTeam: _, ...membership } = joined
    return { organization, renamed: values[at + organizationReader.width] === false, membership }
  }
}

/** The part of the statement that finds a user by name. If there is none, it finds the organization with that name. */
const account: LoadedKindSql<"user"> = {
  columns: `${user.columns}, ${organization.columns}, mutual_block.id IS NOT NULL`,
  join: (sql, target, acting) => sql`
    ${user.join(sql, target, acting)}
    ${organization.join(
      sql,
      partOf(target, ({ name }) => ({ kind: "organization", organization: name })),
      acting
    )}
    LEFT JOIN LATERAL (
      SELECT blocker AS id FROM block WHERE blocker = about_user.id AND blocked = ${sql.literal(acting)}
      UNION ALL
      SELECT blocker AS id FROM block WHERE blocker = ${sql.literal(acting)} AND blocked = about_user.id
      LIMIT 1
    ) mutual_block ON true`,
  read: (values, at) => {
    const found = user.read(values, at)
    if (found !== undefined)
      return { ...found, blocked: values[at + userReader.width + 1 + width.organization] === true }
    const of = organization.read(values, at + userReader.width + 1)
    return of && { user: organizationAsUser(of.organization), renamed: of.renamed, of }
  }
}

/**
 * The SQL for blocks in both directions between the owner of a name and the caller. If no owner has the name, there is
 * no block.
 */
const namedBlocks = (alias: string) => ({
  columns: `${alias}.blocks_caller, ${alias}.blocked_by_owner`,
  join: (
    sql: SqlClient,
    { like, read }: TargetParameters<{ readonly named?: string | undefined }>,
    owner: string,
    user: string
  ) =>
    like.named === undefined
      ? sql`CROSS JOIN (SELECT NULL::boolean AS blocks_caller, NULL::boolean AS blocked_by_owner) ${sql.literal(alias)}`
      : sql`
          LEFT JOIN LATERAL (
            SELECT
              EXISTS (
                SELECT FROM block
                WHERE blocker = coalesce(owner_name.user_id, owner_name.organization_id) AND blocked = ${sql.literal(user)}
              ) AS blocks_caller,
              EXISTS (
                SELECT FROM block WHERE blocker = ${sql.literal(owner)} AND blocked = owner_name.user_id
              ) AS blocked_by_owner
            FROM owner_name
            WHERE owner_name.name_key = ${read(({ named = "" }) => lookup(nameKey(named)))} AND owner_name.current
          ) ${sql.literal(alias)} ON true`,
  read: (values: Values, at: number): NamedAccountFacts =>
    values[at] === null ? {} : { named: { blocksCaller: values[at] === true, blockedByOwner: values[at + 1] === true } }
})

const namedTeamBlocks = namedBlocks("beside_team")
const namedRepositoryBlocks = namedBlocks("beside_repository")

const team: LoadedKindSql<"team"> = {
  columns: `${teamReader.of("about_team")}, ${organizationReader.of("team_organization")}, ${membershipReader.of("membership")}, ${namedTeamBlocks.columns}`,
  join: (sql, target, user) => sql`
    LEFT JOIN team about_team ON about_team.id = ${target.read(({ id }) => idParameter(id))}
    LEFT JOIN organization team_organization ON team_organization.id = about_team.organization_id
    ${joinMembership(sql, user, "about_team.organization_id", "about_team.id")}
    ${namedTeamBlocks.join(sql, target, "about_team.organization_id", user)}`,
  read: (values, at) => {
    const team = teamReader.read(values, at)
    const organization = organizationReader.read(values, at + teamReader.width)
    const joined = membershipReader.read(values, at + teamReader.width + organizationReader.width)
    if (team === undefined || organization === undefined || joined === undefined) return undefined
    const { inTeam, ...membership } = joined
    return { team, organization, membership, member: inTeam, ...namedTeamBlocks.read(values, at + teamWidth) }
  }
}

const idIn = (about: Target<"repository">) => ("id" in about ? idParameter(about.id) : null)

const nameIn = (about: Target<"repository">, part: "owner" | "repository") =>
  "id" in about ? null : lookup(nameKey(about[part]))

const repository: LoadedKindSql<"repository"> = {
  columns: `${repositoryWithGrantsReader.of("repository")}, found_repository.renamed, owner_block.id IS NOT NULL, ${namedRepositoryBlocks.columns}`,
  join: (sql, target, user) => {
    const found =
      "id" in target.like
        ? sql`
            LEFT JOIN (SELECT ${target.read(idIn)}::bigint AS id, false AS renamed) found_repository ON true`
        : sql`
            LEFT JOIN LATERAL (
              SELECT repository_name.repository_id AS id, NOT (owner_name.current AND repository_name.current) AS renamed
              FROM owner_name
              JOIN repository_name ON repository_name.owner_id = coalesce(owner_name.user_id, owner_name.organization_id)
                AND repository_name.name_key = ${target.read((about) => nameIn(about, "repository"))}
              WHERE owner_name.name_key = ${target.read((about) => nameIn(about, "owner"))}
            ) found_repository ON true`
    return sql`
      ${found}
      LEFT JOIN repository ON repository.id = found_repository.id
      LEFT JOIN block owner_block
        ON owner_block.blocker = coalesce(repository.user_id, repository.organization_id)
        AND owner_block.blocked = ${sql.literal(user)}
      ${joinGrants(sql, user, { kind: "repository", alias: "repository" })}
      ${namedRepositoryBlocks.join(sql, target, "coalesce(repository.user_id, repository.organization_id)", user)}`
  },
  read: (values, at) => {
    const held = repositoryWithGrantsReader.read(values, at)
    const after = at + repositoryWithGrantsReader.width
    return (
      held && {
        ...held,
        renamed: values[after] === true,
        blocked: values[after + 1] === true,
        ...namedRepositoryBlocks.read(values, after + 2)
      }
    )
  }
}

const teamWidth = teamReader.width + organizationReader.width + membershipReader.width

const width = {
  repository: repositoryWithGrantsReader.width + 4,
  organization: organizationReader.width + 1 + membershipReader.width,
  team: teamWidth + 2
}

const ofItem = <K extends ItemKind>(kind: K): LoadedKindSql<K> => {
  const item = itemJoins[kind]
  // BOUNDARY: the target and the resource of a kind of thing are those of its repository and its own, for any `K`.
  return {
    columns: [repository.columns, item.columns].filter((columns) => columns !== "").join(", "),
    join: (sql: SqlClient, target: TargetParameters<Target<ItemKind>>, user: string) => sql`
      ${repository.join(
        sql,
        partOf(target, ({ owner, repository }) => ({ kind: "repository", owner, repository })),
        user
      )}
      ${item.join(sql, (read) => target.read(({ keys }) => read(keys as ItemKeys[K])))}`,
    read: (values: Values, at: number) => {
      const found = repository.read(values, at)
      return found && { ...found, item: item.read(values, at + width.repository) }
    }
  } as unknown as LoadedKindSql<K>
}

const ofItems = Object.fromEntries(itemKinds.map((kind) => [kind, ofItem(kind)])) as unknown as {
  readonly [K in ItemKind]: LoadedKindSql<K>
}

/** The part of the statement for a resource type that needs no data for authorization. */
const nothing = { columns: "NULL", join: (sql: SqlClient) => sql``, read: () => ({}) }

/** The part of the SQL statement that reads the authorization data of a resource, for each resource type. */
export const abouts: { readonly [K in LoadedKind]: LoadedKindSql<K> } = {
  ...ofItems,
  site: nothing,
  signedLink: nothing,
  user: account,
  organization,
  organizationUser: {
    columns: `${organization.columns}, ${user.columns}`,
    join: (sql, target, acting) => sql`
      ${organization.join(
        sql,
        partOf(target, ({ organization }) => ({ kind: "organization", organization })),
        acting
      )}
      ${user.join(
        sql,
        partOf(target, ({ name }) => ({ kind: "user", name })),
        acting
      )}`,
    read: (values, at) => ({
      organization: organization.read(values, at),
      user: user.read(values, at + width.organization)
    })
  },
  team,
  teamRepository: {
    columns: `${team.columns}, ${repository.columns}`,
    join: (sql, target, acting) => sql`
      ${team.join(
        sql,
        partOf(target, ({ id }) => ({ kind: "team", id })),
        acting
      )}
      ${repository.join(
        sql,
        partOf(target, ({ owner, repository }) => ({ kind: "repository", owner, repository })),
        acting
      )}`,
    read: (values, at) => ({
      team: team.read(values, at),
      repository: repository.read(values, at + width.team)
    })
  },
  repository,
  packageOwner: {
    columns: `about_owner.owner, about_owner.current, ${grantsReader.of("grants")}`,
    join: (sql, { read }, acting) => sql`
      LEFT JOIN LATERAL (
        SELECT owner_name.current, owner_name.organization_id,
          CASE
            WHEN account.id IS NOT NULL THEN ${sql.literal(ownerDocument("user", "account"))}
            ELSE ${sql.literal(ownerDocument("organization", "organization"))}
          END AS owner
        FROM owner_name
        LEFT JOIN account ON account.id = owner_name.user_id
        LEFT JOIN organization ON organization.id = owner_name.organization_id
        WHERE owner_name.name_key = ${read(({ owner }) => lookup(nameKey(owner)))}
      ) about_owner ON true
      ${joinGrants(sql, acting, { kind: "owner", organization: "about_owner.organization_id" })}`,
    read: (values, at) => {
      const owner = values[at] as Owner | null
      const grants = grantsReader.read(values, at + 2)
      return owner === null || grants === undefined
        ? undefined
        : {
            owner,
            renamed: values[at + 1] === false,
            membership: grants.membership,
            teamPackages: grants.teams["repo.packages"] ?? 0
          }
    }
  }
}
