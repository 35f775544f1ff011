import { nameKey } from "@slipway/domain"
import { type Token, TokenStore } from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { deployTable } from "../base/tables.ts"
import { ofTeam, visibleCollection } from "../base/visible.ts"
import { type AccessRow, accessIn, grantsOfAccount, teamsOfAccount } from "./access.ts"
import { accounts } from "./accounts.ts"

const tokens = deployTable<Token>("token", {
  teamId: integer("team_id"),
  accountUuid: nullable(text("account_uuid")),
  projects: nullable(json("projects")),
  name: text("name"),
  abilities: json("abilities"),
  hash: text("hash"),
  expiresAt: nullable(time("expires_at")),
  lastUsedAt: nullable(time("last_used_at"))
})

/** The number of columns that are read for a token: its own columns, and the columns of every row. */
const tokenWidth = tokens.inserted.columns.split(", ").filter((name) => name !== "hash_key").length + 1

/** Stores tokens in PostgreSQL. */
export const layerTokens = Layer.effect(
  TokenStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, tokens), ofTeam("token.team_id"))
    return {
      ...collection,
      findByHash: (hash) =>
        Effect.map(collection.select(sql`WHERE hash_key = ${lookup(nameKey(hash))}`), ([token]) => token),
      findWithAccount: (hash) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT COALESCE((SELECT is_api_enabled FROM settings), true),
                CASE WHEN account.id IS NOT NULL THEN ${sql.literal(teamsOfAccount)} END,
                CASE WHEN account.id IS NOT NULL THEN ${sql.literal(grantsOfAccount)} END,
                ${sql.literal(tokens.expressions)}, ${sql.literal(accounts.expressions)}
              FROM token LEFT JOIN account ON account.uuid = token.account_uuid
              WHERE token.hash_key = ${lookup(nameKey(hash))}`.values,
            ([row]) => {
              if (row === undefined) return undefined
              const [isApiEnabled, teams, grants, ...columns] = row
              const token = tokens.read(columns)
              if (token.accountUuid === null) {
                return { token, account: undefined, access: undefined, isApiEnabled: isApiEnabled === true }
              }
              const account = accounts.read(columns.slice(tokenWidth))
              const flags = { is_disabled: account.isDisabled, is_root: account.isRoot }
              // BOUNDARY: the statement aggregates both as JSON of these types.
              const access = accessIn({ ...flags, teams, grants } as AccessRow)
              return { token, account, access, isApiEnabled: isApiEnabled === true }
            }
          )
        ),
      ofAccount: (uuid) => collection.select(sql`WHERE account_uuid = ${lookup(uuid)} ORDER BY id`),
      withoutAccount: (team, at) =>
        collection.select(
          sql`WHERE team_id = ${team} AND account_uuid IS NULL AND (expires_at IS NULL OR expires_at > ${moment(at)}) ORDER BY id`
        ),
      // After waiting for another transaction, a locking statement may see rows that have been deleted since.
      lockRoots: Effect.andThen(
        orDieSql(
          sql`SELECT id FROM token WHERE account_uuid IS NULL AND abilities @> '["root"]' ORDER BY id FOR UPDATE`.values
        ),
        collection.select(sql`WHERE account_uuid IS NULL AND abilities @> '["root"]' ORDER BY id`)
      ),
      touch: (uuid, usedAt) => {
        const at = moment(usedAt)
        return Effect.asVoid(
          orDieSql(sql`
            UPDATE token SET last_used_at = ${at}
            WHERE uuid = ${lookup(uuid)} AND (last_used_at IS NULL OR last_used_at < ${at})`)
        )
      }
    }
  })
)
