import { nameKey } from "@slipway/domain"
import type { CallerKey, FactsQuery, LoadedKind, Target } from "@slipway/domain/forge/entry"
import { accessTokens } from "@slipway/domain/forge/identity"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment, Statement } from "effect/sql/Statement"
import { lookup } from "../../../collection/collection.ts"
import { ownedTable } from "../../../owned/table.ts"
import { failuresExpression } from "../../../sign-in/failures.ts"
import { userReader } from "../../identity/accounts.ts"
import { factorReader } from "../../identity/signIns.ts"

import { abouts, type LoadedKindSql, type TargetParameters } from "./kinds.ts"

/** The table of access tokens, from which the caller's token is read. */
export const tokens = ownedTable(accessTokens)

type AnyQuery = FactsQuery<LoadedKind>

/** Returns a sub-select of the id of the user who currently has a name. */
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
        // No name has an `@`, so at most one of them matches.
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

/**
 * Builds the statement that reads all values that authorize a request. Each parameter is a function that reads its
 * value from the query.
 */
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

/**
 * Returns the cache key of the text of a statement. The text depends on how the caller authenticates, and on how the
 * resource is named.
 */
const shapeOf = ({ about, caller, sudo }: AnyQuery): string =>
  `${caller._tag} ${sudo !== undefined} ${about.kind} ${"id" in about} ${"named" in about && about.named !== undefined}`

/** Returns a function that makes the SQL statement for a query. It builds each SQL text once and caches it. */
export const loadStatements = (sql: SqlClient) => {
  const compiled = new Map<string, ReturnType<Statement<unknown>["compile"]>>()
  return (query: AnyQuery): Statement<unknown> => {
    const shape = shapeOf(query)
    const known = compiled.get(shape) ?? statementLike(sql, query).compile()
    compiled.set(shape, known)
    const [text, parameters] = known
    return sql.unsafe(
      text,
      parameters.map((read) => (read as (query: AnyQuery) => unknown)(query))
    )
  }
}
