import { PgTypes } from "@effect/sql-pg"
import { type Session, SessionStore, SignInAttemptStore } from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { expressionsOf, moment, nullable, rowReader, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { signInFailures } from "../../sign-in/failures.ts"
import { accounts } from "./accounts.ts"

const columns = Object.entries({
  uuid: text("uuid"),
  accountUuid: text("account_uuid"),
  hash: text("hash"),
  agent: text("agent"),
  address: text("address"),
  expiresAt: time("expires_at"),
  lastUsedAt: nullable(time("last_used_at")),
  createdAt: time("created_at")
}).map(([name, column]) => ({ path: [name], column }))

const expressions = expressionsOf(columns as never)("session")
const reader = rowReader(columns as never)
const read = (values: ReadonlyArray<unknown>): Session => reader(values, 0) as unknown as Session

/** Stores sessions in PostgreSQL. */
export const layerSessions = Layer.effect(
  SessionStore,
  Effect.map(SqlClient, (sql) => {
    const own = sql.literal(expressions)
    const ofAccounts = sql.literal(accounts.expressions)
    const changed = (rows: ReadonlyArray<unknown>) => rows.length > 0
    return {
      begin: ({ accountUuid, address, agent, createdAt, expiresAt, hash, lastUsedAt, uuid }, most) =>
        orDieSql(
          Effect.gen(function* () {
            yield* sql`
              INSERT INTO session (uuid, account_uuid, hash, agent, address, expires_at, last_used_at, created_at)
              VALUES (
                ${uuid}, ${accountUuid}, ${hash}, ${agent}, ${address},
                ${moment(expiresAt)}, ${moment(lastUsedAt)}, ${moment(createdAt)}
              )`
            yield* sql`
              DELETE FROM session WHERE id IN (
                SELECT id FROM session WHERE account_uuid = ${accountUuid}
                ORDER BY id DESC OFFSET ${PgTypes.int8(BigInt(most))}
              )`
          })
        ),
      findByHash: (hash) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${own}, ${ofAccounts} FROM session JOIN account ON account.uuid = session.account_uuid
              WHERE session.hash = ${lookup(hash)}`.values,
            ([row]) =>
              row === undefined ? undefined : { session: read(row), account: accounts.read(row.slice(columns.length)) }
          )
        ),
      find: (uuid) =>
        orDieSql(
          Effect.map(sql`SELECT ${own} FROM session WHERE uuid = ${lookup(uuid)}`.values, ([row]) =>
            row === undefined ? undefined : read(row)
          )
        ),
      ofAccount: (uuid) =>
        orDieSql(
          Effect.map(sql`SELECT ${own} FROM session WHERE account_uuid = ${lookup(uuid)} ORDER BY id`.values, (rows) =>
            rows.map(read)
          )
        ),
      touch: (uuid, usedAt) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE session SET last_used_at = ${moment(usedAt)}
            WHERE uuid = ${lookup(uuid)} AND (last_used_at IS NULL OR last_used_at < ${moment(usedAt)})`)
        ),
      end: (account, uuid) =>
        orDieSql(
          Effect.map(
            sql`DELETE FROM session WHERE account_uuid = ${lookup(account)} AND uuid = ${lookup(uuid)} RETURNING id`
              .values,
            changed
          )
        ),
      endAll: (account, except) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM session WHERE account_uuid = ${lookup(account)} AND uuid <> ${except ?? ""}
              RETURNING id`.values,
            (rows) => rows.length
          )
        ),
      removeExpired: (at) => Effect.asVoid(orDieSql(sql`DELETE FROM session WHERE expires_at <= ${moment(at)}`))
    }
  })
)

/** Stores failed sign-ins, and the used `state` parameters of OAuth sign-ins, in PostgreSQL. */
export const layerSignInAttempts = Layer.effect(
  SignInAttemptStore,
  Effect.map(SqlClient, (sql) => ({
    ...signInFailures(sql),
    forgive: (keys) => Effect.asVoid(orDieSql(sql`DELETE FROM sign_in_failure WHERE key = ANY(${[...keys]}::text[])`)),
    useState: (hash, expiresAt, present) =>
      orDieSql(
        Effect.map(
          sql`
            WITH expired AS (
              DELETE FROM used_sign_in_state WHERE expires_at < ${moment(present)} AND hash <> ${hash}
            )
            INSERT INTO used_sign_in_state (hash, expires_at) VALUES (${hash}, ${moment(expiresAt)})
            ON CONFLICT DO NOTHING RETURNING hash`.values,
          (rows) => rows.length > 0
        )
      )
  }))
)
