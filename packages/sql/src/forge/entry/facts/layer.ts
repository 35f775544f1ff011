import {
  type FactsQuery,
  FactsStore,
  type LoadedFacts,
  type LoadedKind,
  restrictedAccountOf,
  withRelation
} from "@slipway/domain/forge/entry"
import type { AccessToken, Failures, UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { orDieSql } from "../../../SqlErrors.ts"
import { userReader } from "../../identity/accounts.ts"
import { usersSharingMembership } from "../../identity/relations.ts"
import { factorReader } from "../../identity/signIns.ts"

import { abouts, type LoadedKindSql } from "./kinds.ts"
import { loadStatements, tokens } from "./statement.ts"

/**
 * Returns whether two users share an organization or a repository. It is a separate statement, as few requests need
 * it.
 */
const areTied = (sql: SqlClient, userId: UserId | undefined, other: UserId) =>
  Effect.map(
    sql`SELECT ${String(other)}::bigint IN ${usersSharingMembership(sql, { userId })}`.values,
    ([values = []]) => values[0] === true
  )

/** Reads all values that authorize a request from PostgreSQL, in one statement. */
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
          const limited = restrictedAccountOf(acting, query.about.kind, found)
          return limited === undefined
            ? Effect.succeed(loaded)
            : Effect.map(areTied(sql, acting?.id, limited), (tied) => ({
                ...loaded,
                found: withRelation(query.about.kind as K, found, tied)
              }))
        })
      )
    return { load }
  })
)
