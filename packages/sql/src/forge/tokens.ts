import { PgTypes } from "@effect/sql-pg"
import { Duplicate, nameKey } from "@slipway/domain"
import { type AccessToken, AccessTokenStore, type TokenId, tokenKinds } from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../collection/collection.ts"
import { integer, json, nullable, text, time } from "../collection/columns.ts"
import { orDieSql } from "../SqlErrors.ts"
import { userParameter } from "./accounts.ts"
import { byId, countedPage } from "./pages.ts"
import { reader } from "./rows.ts"

/** Reads access tokens, without the hashes of their secrets. */
export const tokenReader = reader<AccessToken>({
  id: integer("id"),
  userId: integer("user_id"),
  kind: text("kind"),
  applicationId: nullable(integer("application_id")),
  grant: nullable(text("grant_key")),
  origin: json("origin"),
  name: text("name"),
  scopes: json("scopes"),
  lastEight: text("last_eight"),
  expiresAt: nullable(time("expires_at")),
  lastUsedAt: nullable(time("last_used_at")),
  createdAt: time("created_at")
})

const moment = (iso: string | null) => (iso === null ? null : PgTypes.timestamptz(new Date(iso)))
const tokenParameter = (id: TokenId) => PgTypes.int8(BigInt(id))

/** Keeps access tokens in PostgreSQL. */
export const layerTokens = Layer.effect(
  AccessTokenStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(tokenReader.of("access_token"))
    const one = (where: Fragment) =>
      orDieSql(
        Effect.map(sql`SELECT ${all} FROM access_token WHERE ${where}`.values, ([values]) =>
          values === undefined ? undefined : tokenReader.read(values)
        )
      )
    const removed = (where: Fragment) =>
      orDieSql(
        Effect.map(
          sql`
            WITH removed AS (DELETE FROM access_token WHERE ${where} RETURNING id)
            SELECT count(*)::float8 FROM removed`.values,
          ([counted]) => Number(counted?.[0])
        )
      )
    return {
      insert: (token) =>
        orDieSql(
          sql`
            INSERT INTO access_token
              (user_id, kind, application_id, grant_key, origin, name, name_key, hash, scopes, last_eight, expires_at, created_at)
            VALUES (
              ${userParameter(token.userId)}, ${token.kind},
              ${token.applicationId === null ? null : PgTypes.int8(BigInt(token.applicationId))}, ${token.grant}, ${PgTypes.jsonb(token.origin)},
              ${token.name}, ${nameKey(token.name)}, ${token.hash},
              ${PgTypes.jsonb(token.scopes)}, ${token.lastEight}, ${moment(token.expiresAt)}, ${moment(token.createdAt)}
            )
            ON CONFLICT ON CONSTRAINT access_token_name_once DO NOTHING
            RETURNING ${all}`.values
        ).pipe(
          Effect.flatMap(([values]) => {
            const inserted = values === undefined ? undefined : tokenReader.read(values)
            return inserted === undefined
              ? Effect.fail(new Duplicate({ of: "accessToken.name" }))
              : Effect.succeed(inserted)
          })
        ),
      ofUser: (user, page, kind = "personal") =>
        countedPage(
          sql,
          tokenReader,
          {
            table: "access_token",
            from: sql`access_token seen`,
            where: sql`seen.user_id = ${userParameter(user)} AND seen.kind = ${kind}`,
            order: byId
          },
          page
        ),
      find: (user, id) => one(sql`user_id = ${userParameter(user)} AND id = ${tokenParameter(id)}`),
      named: (user, name) =>
        one(sql`user_id = ${userParameter(user)} AND name_key = ${lookup(nameKey(name))} AND kind = 'personal'`),
      ofHash: (hash) => one(sql`hash = ${lookup(hash)}`),
      remove: (user, id) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM access_token WHERE user_id = ${userParameter(user)} AND id = ${tokenParameter(id)}
              RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      removeHash: (hash) => Effect.map(removed(sql`hash = ${lookup(hash)}`), (count) => count > 0),
      removeAll: (user, kinds = tokenKinds) =>
        removed(sql`user_id = ${userParameter(user)} AND kind = ANY(${[...kinds]}::text[])`),
      removeGrant: (grant) => removed(sql`grant_key = ${lookup(grant)}`),
      removeExpired: (before) => removed(sql`kind <> 'personal' AND expires_at < ${moment(before)}`),
      touch: (id, usedAt) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE access_token SET last_used_at = ${moment(usedAt)}
            WHERE id = ${tokenParameter(id)} AND (last_used_at IS NULL OR last_used_at < ${moment(usedAt)})`)
        )
    }
  })
)
