import { type AvatarName, AvatarStore, type OwnerId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { userParameter } from "./accounts.ts"

/** Returns a function that changes the avatar of a user or an organization and returns the former avatar. */
export const setAvatar =
  (sql: SqlClient, table: "account" | "organization") => (id: OwnerId, avatar: AvatarName | null) => {
    const name = sql.literal(table)
    return orDieSql(
      Effect.map(
        sql`
          WITH before AS (SELECT id, avatar FROM ${name} WHERE id = ${userParameter(id)} FOR NO KEY UPDATE)
          UPDATE ${name} SET avatar = ${avatar}::text FROM before WHERE ${name}.id = before.id
          RETURNING before.avatar`.values,
        ([row]) => row?.[0] as AvatarName | null | undefined
      )
    )
  }

/** Stores avatars in PostgreSQL. */
export const layerAvatars = Layer.effect(
  AvatarStore,
  Effect.map(SqlClient, (sql) => ({
    put: (name, picture) =>
      Effect.asVoid(orDieSql(sql`INSERT INTO avatar (name, picture) VALUES (${name}, ${picture})`)),
    find: (name) =>
      orDieSql(
        Effect.map(
          sql<{ readonly picture: Uint8Array }>`SELECT picture FROM avatar WHERE name = ${lookup(name)}`,
          ([row]) => row && new Uint8Array(row.picture)
        )
      ),
    removeMany: (names) => Effect.asVoid(orDieSql(sql`DELETE FROM avatar WHERE name = ANY(${[...names]}::text[])`)),
    remove: (name) =>
      orDieSql(
        Effect.map(sql`DELETE FROM avatar WHERE name = ${name} RETURNING name`.values, (rows) => rows.length > 0)
      )
  }))
)
