import { nameKey } from "@slipway/domain"
import { type Token, TokenStore } from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { deployTable } from "../base/tables.ts"

const tokens = deployTable<Token>("token", {
  name: text("name"),
  abilities: json("abilities"),
  hash: text("hash"),
  expiresAt: nullable(time("expires_at")),
  lastUsedAt: nullable(time("last_used_at"))
})

/** Stores tokens in PostgreSQL. */
export const layerTokens = Layer.effect(
  TokenStore,
  Effect.map(SqlClient, (sql) => {
    const collection = makeCollection(sql, tokens)
    return {
      ...collection,
      findByHash: (hash) =>
        Effect.map(collection.select(sql`WHERE hash_key = ${lookup(nameKey(hash))}`), ([token]) => token),
      // After waiting for another transaction, a locking statement may see rows that have been deleted since.
      lockRoots: Effect.andThen(
        orDieSql(sql`SELECT id FROM token WHERE abilities @> '["root"]' ORDER BY id FOR UPDATE`.values),
        collection.select(sql`WHERE abilities @> '["root"]' ORDER BY id`)
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
