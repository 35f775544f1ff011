import { type ReactionCount, ReactionStore } from "@slipway/domain/forge/collaboration"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { orDieSql } from "../../SqlErrors.ts"
import { idArray } from "../base/parameters.ts"
import { userParameter } from "../identity/accounts.ts"
import { idParameter } from "../identity/units.ts"

/** Counts reactions in PostgreSQL. */
export const layerReactions = Layer.effect(
  ReactionStore,
  Effect.map(SqlClient, (sql) => ({
    counts: (issue, comments, user) => {
      const id = sql`${idParameter(issue)}::bigint`
      const counted = sql`count(*)::float8, bool_or(coalesce(given.user_id = ${userParameter(user)}::bigint, false))`
      return orDieSql(
        Effect.map(
          sql`
            SELECT NULL::float8 AS comment, given.content COLLATE "C" AS content, ${counted}
            FROM issue_reaction given WHERE given.issue_id = ${id} GROUP BY given.content
            UNION ALL
            SELECT given.comment_id::float8, given.content COLLATE "C", ${counted}
            FROM comment JOIN comment_reaction given ON given.comment_id = comment.id
            WHERE comment.id = ANY(${idArray(sql, comments)}) AND comment.issue_id = ${id}
            GROUP BY given.comment_id, given.content
            ORDER BY comment NULLS FIRST, content`.values,
          (rows) =>
            rows.map(
              ([comment, content, count, own]): ReactionCount => ({
                commentId: comment as ReactionCount["commentId"],
                content: String(content),
                count: Number(count),
                own: own === true
              })
            )
        )
      )
    }
  }))
)
