import { nameKey } from "@slipway/domain"
import {
  type AccessToken,
  accessTokens,
  type BesideNamed,
  type CallerKey,
  type FactsQuery,
  FactsStore,
  type Failures,
  type ItemKeys,
  type ItemKind,
  itemKinds,
  type LoadedFacts,
  type LoadedKind,
  type LoadedResources,
  type Owner,
  organizationAsUser,
  type Target,
  tieWanted,
  type UserId,
  withTie
} from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment, Statement } from "effect/sql/Statement"
import { lookup } from "../collection/collection.ts"
import { ownedTable } from "../owned/table.ts"
import { orDieSql } from "../SqlErrors.ts"
import { userReader } from "./accounts.ts"
import { grantsReader, joinGrants, joinMembership, membershipReader } from "./grants.ts"
import { itemJoins } from "./items.ts"
import { organizationReader } from "./organizations.ts"
import { ownerDocument, repositoryWithGrantsReader } from "./repositories.ts"
import { factorReader, failuresExpression } from "./signIns.ts"
import { teamReader } from "./teams.ts"
import { tiedTo } from "./tied.ts"
import { idParameter } from "./units.ts"

type Values = ReadonlyArray<unknown>

const tokens = ownedTable(accessTokens)

type AnyQuery = FactsQuery<LoadedKind>

/** The target of a statement that others are like: what its text follows from, and what reads a parameter from each of them. */
interface TargetParameters<T> {
  readonly like: T
  readonly read: (value: (target: T) => unknown) => unknown
}

/** Returns the parameters of what a target names a part of. */
const partOf = <T, P>({ like, read }: TargetParameters<T>, part: (target: T) => P): TargetParameters<P> => ({
  like: part(like),
  read: (value) => read((target) => value(part(target)))
})

/** What one kind of thing adds to the statement. */
interface LoadedKindSql<K extends LoadedKind> {
  readonly columns: string
  /** Joins the thing and what `user`, an expression for the number of whoever acts, holds there. */
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

/** A user, or else an organization of that name. */
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

/** Who blocks whom of an account of a present name, `owner` and `user`, which are expressions; empty where there is none. */
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
  read: (values: Values, at: number): BesideNamed =>
    values[at] === null ? {} : { named: { blocksCaller: values[at] === true, blockedByOwner: values[at + 1] === true } }
})

const besideTeam = namedBlocks("beside_team")
const besideRepository = namedBlocks("beside_repository")

const team: LoadedKindSql<"team"> = {
  columns: `${teamReader.of("about_team")}, ${organizationReader.of("team_organization")}, ${membershipReader.of("membership")}, ${besideTeam.columns}`,
  join: (sql, target, user) => sql`
    LEFT JOIN team about_team ON about_team.id = ${target.read(({ id }) => idParameter(id))}
    LEFT JOIN organization team_organization ON team_organization.id = about_team.organization_id
    ${joinMembership(sql, user, "about_team.organization_id", "about_team.id")}
    ${besideTeam.join(sql, target, "about_team.organization_id", user)}`,
  read: (values, at) => {
    const team = teamReader.read(values, at)
    const organization = organizationReader.read(values, at + teamReader.width)
    const joined = membershipReader.read(values, at + teamReader.width + organizationReader.width)
    if (team === undefined || organization === undefined || joined === undefined) return undefined
    const { inTeam, ...membership } = joined
    return { team, organization, membership, member: inTeam, ...besideTeam.read(values, at + teamWidth) }
  }
}

const idIn = (about: Target<"repository">) => ("id" in about ? idParameter(about.id) : null)

const nameIn = (about: Target<"repository">, part: "owner" | "repository") =>
  "id" in about ? null : lookup(nameKey(about[part]))

const repository: LoadedKindSql<"repository"> = {
  columns: `${repositoryWithGrantsReader.of("repository")}, found_repository.renamed, owner_block.id IS NOT NULL, ${besideRepository.columns}`,
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
      ${besideRepository.join(sql, target, "coalesce(repository.user_id, repository.organization_id)", user)}`
  },
  read: (values, at) => {
    const held = repositoryWithGrantsReader.read(values, at)
    const after = at + repositoryWithGrantsReader.width
    return (
      held && {
        ...held,
        renamed: values[after] === true,
        blocked: values[after + 1] === true,
        ...besideRepository.read(values, after + 2)
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

const abouts: { readonly [K in LoadedKind]: LoadedKindSql<K> } = {
  ...ofItems,
  site: { columns: "NULL", join: (sql) => sql``, read: () => ({}) },
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

/** Returns the users of a present name, as a sub-select of their number. */
const named = (sql: SqlClient, name: unknown) => sql`
  SELECT user_id FROM owner_name WHERE name_key = ${name} AND current`

const nobody = { user: undefined, join: undefined }

const nameOf = ({ caller }: AnyQuery) => lookup(nameKey("name" in caller ? caller.name : ""))

const callerOf = (
  sql: SqlClient,
  { _tag }: CallerKey
): { readonly user: Fragment | undefined; readonly join: Fragment | undefined } => {
  switch (_tag) {
    case "Nobody":
      return nobody
    case "TokenHash":
      return {
        join: sql`LEFT JOIN access_token token ON token.hash = ${({ caller }: AnyQuery) => lookup("hash" in caller ? caller.hash : "")}`,
        user: sql`token.user_id`
      }
    case "Name":
      return { join: undefined, user: sql`(${named(sql, nameOf)})` }
    case "SignInName":
      return {
        join: undefined,
        // No name has an `@`, so at most one of them is there.
        user: sql`(
          ${named(sql, nameOf)}
          UNION ALL
          SELECT user_id FROM email WHERE address_key = ${nameOf} AND verified
          LIMIT 1
        )`
      }
  }
}

const nulls = (count: number) => "NULL, ".repeat(count - 1).concat("NULL")

/** Returns the one statement that reads everything a request is decided by; its parameters are read from the query. */
const statementLike = <K extends LoadedKind>(sql: SqlClient, query: FactsQuery<K>) => {
  const about = abouts[query.about.kind as K] as LoadedKindSql<K>
  const caller = callerOf(sql, query.caller)
  const signsIn = query.caller._tag === "SignInName"
  const columns = [
    caller.user === undefined ? nulls(userReader.width) : userReader.of("caller"),
    query.caller._tag === "TokenHash" ? tokens.expressions("token") : nulls(tokens.width),
    signsIn ? "caller.password_hash" : "NULL",
    signsIn ? factorReader.of("factor") : nulls(factorReader.width),
    query.sudo === undefined ? nulls(userReader.width) : userReader.of("sudo"),
    about.columns
  ]
  const acting = [query.sudo === undefined ? [] : ["sudo.id"], caller.user === undefined ? [] : ["caller.id"]].flat()
  const failureKeys = ({ caller }: AnyQuery) => ("failureKeys" in caller ? [...caller.failureKeys] : [])
  const sudoName = ({ sudo = "" }: AnyQuery) => lookup(nameKey(sudo))
  const target: TargetParameters<Target<K>> = {
    like: query.about,
    read: (value) => (asked: AnyQuery) => value(asked.about as Target<K>)
  }
  return sql`
    SELECT ${signsIn ? failuresExpression(sql, failureKeys) : sql`NULL`}, ${sql.literal(columns.join(", "))}
    FROM (SELECT 1) AS request
    ${caller.join ?? sql``}
    ${caller.user === undefined ? sql`` : sql`LEFT JOIN account caller ON caller.id = ${caller.user}`}
    ${signsIn ? sql`LEFT JOIN second_factor factor ON factor.user_id = caller.id AND factor.confirmed` : sql``}
    ${query.sudo === undefined ? sql`` : sql`LEFT JOIN account sudo ON sudo.id = (${named(sql, sudoName)})`}
    ${about.join(sql, target, acting.length === 0 ? "NULL::bigint" : `coalesce(${acting.join(", ")})`)}`
}

/** Returns what texts of statements differ by: who asks in which way, and what the thing is named by. */
const shapeOf = ({ about, caller, sudo }: AnyQuery): string =>
  `${caller._tag} ${sudo !== undefined} ${about.kind} ${"id" in about} ${"named" in about && about.named !== undefined}`

/** Returns what makes the statement of a query: each text is put together once. */
export const loadStatements = (sql: SqlClient) => {
  const made = new Map<string, ReturnType<Statement<unknown>["compile"]>>()
  return (query: AnyQuery): Statement<unknown> => {
    const shape = shapeOf(query)
    const known = made.get(shape) ?? statementLike(sql, query).compile()
    made.set(shape, known)
    const [text, parameters] = known
    return sql.unsafe(
      text,
      parameters.map((read) => (read as (query: AnyQuery) => unknown)(query))
    )
  }
}

/** Tells whether two users share something; most requests don't want to know, so it is a statement of its own. */
const areTied = (sql: SqlClient, userId: UserId | undefined, other: UserId) =>
  Effect.map(
    sql`SELECT ${String(other)}::bigint IN ${tiedTo(sql, { userId })}`.values,
    ([values = []]) => values[0] === true
  )

/** Reads what decides a request from PostgreSQL, in one statement. */
export const layerFacts = Layer.effect(
  FactsStore,
  Effect.map(SqlClient, (sql) => {
    const statementOf = loadStatements(sql)
    const load = <K extends LoadedKind>(query: FactsQuery<K>) =>
      orDieSql(
        Effect.flatMap(statementOf(query).values, ([values = []]) => {
          const token = 1 + userReader.width
          const password = token + tokens.width
          const factor = password + 1
          const sudo = factor + factorReader.width
          const about = abouts[query.about.kind as K] as LoadedKindSql<K>
          const user = userReader.read(values, 1)
          const actsAs = userReader.read(values, sudo)
          const found = about.read(values, sudo + userReader.width)
          const loaded: LoadedFacts<K> = {
            caller: user && {
              user,
              token: values[token] === null ? undefined : (tokens.read(values, token) as unknown as AccessToken),
              passwordHash: (values[password] ?? null) as string | null,
              secondFactor: factorReader.read(values, factor)
            },
            failures: (values[0] ?? []) as ReadonlyArray<Failures>,
            sudo: actsAs,
            found
          }
          const acting = actsAs ?? user
          const limited = tieWanted(acting, query.about.kind, found)
          return limited === undefined
            ? Effect.succeed(loaded)
            : Effect.map(areTied(sql, acting?.id, limited), (tied) => ({
                ...loaded,
                found: withTie(query.about.kind as K, found, tied)
              }))
        })
      )
    return { load }
  })
)
