import { nameKey } from "@slipway/domain"
import {
  type CallerKey,
  type FactsQuery,
  FactsStore,
  type Failures,
  type Findings,
  type LoadedFacts,
  type LoadedKind,
  type Target
} from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../collection/collection.ts"
import { orDieSql } from "../SqlErrors.ts"
import { userReader } from "./accounts.ts"
import { factorReader, failuresExpression } from "./signIns.ts"
import { tokenReader } from "./tokens.ts"

/** What one kind of thing adds to the statement; its joins may name `caller` and `sudo`, who act. */
interface About<K extends LoadedKind> {
  readonly columns: string
  readonly join: (sql: SqlClient, target: Target<K>) => Fragment
  readonly read: (values: ReadonlyArray<unknown>, place: number) => Findings[K] | undefined
}

const abouts: { readonly [K in LoadedKind]: About<K> } = {
  site: { columns: "NULL", join: (sql) => sql``, read: () => ({}) },
  user: {
    columns: `${userReader.of("about")}, about_name.current`,
    join: (sql, { name }) => sql`
      LEFT JOIN owner_name about_name ON about_name.name_key = ${lookup(nameKey(name))}
      LEFT JOIN account about ON about.id = about_name.user_id`,
    read: (values, place) => {
      const user = userReader.read(values, place)
      return user && { user, moved: values[place + userReader.width] === false }
    }
  }
}

/** Returns the users of a present name, as a sub-select of their number. */
const named = (sql: SqlClient, name: string) => sql`
  SELECT user_id FROM owner_name WHERE name_key = ${lookup(nameKey(name))} AND current`

const nobody = { user: undefined, join: undefined }

const callerOf = (
  sql: SqlClient,
  key: CallerKey
): { readonly user: Fragment | undefined; readonly join: Fragment | undefined } => {
  switch (key._tag) {
    case "Nobody":
      return nobody
    case "TokenHash":
      return {
        join: sql`LEFT JOIN access_token token ON token.hash = ${lookup(key.hash)}`,
        user: sql`token.user_id`
      }
    case "Name":
      return { join: undefined, user: sql`(${named(sql, key.name)})` }
    case "SignInName":
      return {
        join: undefined,
        // No name has an `@`, so at most one of them is there.
        user: sql`(
          ${named(sql, key.name)}
          UNION ALL
          SELECT user_id FROM email WHERE address_key = ${lookup(nameKey(key.name))} AND verified
          LIMIT 1
        )`
      }
  }
}

const nulls = (count: number) => Array.from({ length: count }, () => "NULL").join(", ")

/** Returns the one statement that reads everything a request is decided by. */
export const loadStatement = <K extends LoadedKind>(sql: SqlClient, query: FactsQuery<K>) => {
  const about = abouts[query.about.kind as K] as About<K>
  const caller = callerOf(sql, query.caller)
  const signsIn = query.caller._tag === "SignInName"
  const failureKeys = query.caller._tag === "SignInName" ? query.caller.failureKeys : []
  const columns = [
    caller.user === undefined ? nulls(userReader.width) : userReader.of("caller"),
    query.caller._tag === "TokenHash" ? tokenReader.of("token") : nulls(tokenReader.width),
    signsIn ? "caller.password_hash" : "NULL",
    signsIn ? factorReader.of("factor") : nulls(factorReader.width),
    query.sudo === undefined ? nulls(userReader.width) : userReader.of("sudo"),
    about.columns
  ]
  return sql`
    SELECT ${signsIn ? failuresExpression(sql, failureKeys) : sql`NULL`}, ${sql.literal(columns.join(", "))}
    FROM (SELECT 1) AS request
    ${caller.join ?? sql``}
    ${caller.user === undefined ? sql`` : sql`LEFT JOIN account caller ON caller.id = ${caller.user}`}
    ${signsIn ? sql`LEFT JOIN second_factor factor ON factor.user_id = caller.id AND factor.confirmed` : sql``}
    ${query.sudo === undefined ? sql`` : sql`LEFT JOIN account sudo ON sudo.id = (${named(sql, query.sudo)})`}
    ${about.join(sql, query.about)}`
}

/** Reads what decides a request from PostgreSQL, in one statement. */
export const layerFacts = Layer.effect(
  FactsStore,
  Effect.map(SqlClient, (sql) => ({
    load: <K extends LoadedKind>(query: FactsQuery<K>) =>
      orDieSql(
        Effect.map(loadStatement(sql, query).values, ([values = []]): LoadedFacts<K> => {
          const token = 1 + userReader.width
          const password = token + tokenReader.width
          const factor = password + 1
          const sudo = factor + factorReader.width
          const about = abouts[query.about.kind as K] as About<K>
          const user = userReader.read(values, 1)
          return {
            caller: user && {
              user,
              token: tokenReader.read(values, token),
              passwordHash: (values[password] ?? null) as string | null,
              secondFactor: factorReader.read(values, factor)
            },
            failures: (values[0] ?? []) as ReadonlyArray<Failures>,
            sudo: userReader.read(values, sudo),
            found: about.read(values, sudo + userReader.width)
          }
        })
      )
  }))
)
