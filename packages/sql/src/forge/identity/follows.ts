import { BlockStore, FollowStore, type UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { orDieSql } from "../../SqlErrors.ts"
import { byId } from "../base/pages.ts"
import { idArray } from "../base/parameters.ts"

import { seenPage, userParameter } from "./accounts.ts"

/** Stores follows in PostgreSQL. */
export const layerFollows = Layer.effect(
  FollowStore,
  Effect.map(SqlClient, (sql) => ({
    add: (follower, followed) =>
      Effect.asVoid(
        orDieSql(sql`
          INSERT INTO follow (follower, followed) VALUES (${userParameter(follower)}, ${userParameter(followed)})
          ON CONFLICT DO NOTHING`)
      ),
    remove: (follower, followed) =>
      orDieSql(
        Effect.map(
          sql`
            DELETE FROM follow WHERE follower = ${userParameter(follower)} AND followed = ${userParameter(followed)}
            RETURNING id`.values,
          (rows) => rows.length > 0
        )
      ),
    has: (follower, followed) =>
      orDieSql(
        Effect.map(
          sql`
            SELECT 1 FROM follow
            WHERE follower = ${userParameter(follower)} AND followed = ${userParameter(followed)}`.values,
          (rows) => rows.length > 0
        )
      ),
    followers: (viewer, of, page) =>
      seenPage(
        sql,
        viewer,
        {
          people: "follower",
          where: sql`seen.followed = ${userParameter(of)}`,
          order: byId
        },
        page
      ),
    following: (viewer, of, page) =>
      seenPage(
        sql,
        viewer,
        {
          people: "followed",
          where: sql`seen.follower = ${userParameter(of)}`,
          order: byId
        },
        page
      )
  }))
)

/** Stores blocks in PostgreSQL. */
export const layerBlocks = Layer.effect(
  BlockStore,
  Effect.map(SqlClient, (sql) => ({
    add: ({ blocked, blocker, note }) =>
      Effect.asVoid(
        orDieSql(sql`
          INSERT INTO block (blocker, blocked, note)
          VALUES (${userParameter(blocker)}, ${userParameter(blocked)}, ${note})
          ON CONFLICT (blocker, blocked) DO UPDATE SET note = excluded.note`)
      ),
    remove: (blocker, blocked) =>
      orDieSql(
        Effect.map(
          sql`
            DELETE FROM block WHERE blocker = ${userParameter(blocker)} AND blocked = ${userParameter(blocked)}
            RETURNING id`.values,
          (rows) => rows.length > 0
        )
      ),
    find: (blocker, blocked) =>
      orDieSql(
        Effect.map(
          sql<{ readonly note: string }>`
            SELECT note FROM block WHERE blocker = ${userParameter(blocker)} AND blocked = ${userParameter(blocked)}`,
          ([row]) => row && { blocker, blocked, note: row.note }
        )
      ),
    blockersOf: (blocked, among) =>
      orDieSql(
        Effect.map(
          sql`
            SELECT blocker::float8 FROM block
            WHERE blocked = ${userParameter(blocked)} AND blocker = ANY(${idArray(sql, among)})
            ORDER BY blocker`.values,
          (rows) => rows.map(([id]) => id as UserId)
        )
      ),
    blockedBy: (blocker, among) =>
      orDieSql(
        Effect.map(
          sql`
            SELECT blocked::float8 FROM block
            WHERE blocker = ${userParameter(blocker)} AND blocked = ANY(${idArray(sql, among)})
            ORDER BY blocked`.values,
          (rows) => rows.map(([id]) => id as UserId)
        )
      ),
    list: (viewer, blocker, page) =>
      seenPage(
        sql,
        viewer,
        { people: "blocked", where: sql`seen.blocker = ${userParameter(blocker)}`, order: byId },
        page
      )
  }))
)
