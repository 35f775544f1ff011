import type { OwnedData } from "@slipway/domain"
import {
  type Comment,
  type CommentReaction,
  commentReactions,
  comments,
  type IssueReaction,
  issueReactions,
  type Reaction,
  type ReactionCount,
  ReactionStore
} from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { byCodePoints } from "../../codePoints.ts"
import type { Table } from "../../Table.ts"
import { Tables } from "../base/tables.ts"

const countsOf = (
  commentId: ReactionCount["commentId"],
  reactions: ReadonlyArray<Reaction>,
  user: UserId | undefined
): ReadonlyArray<ReactionCount> =>
  [...Map.groupBy(reactions, ({ content }) => content)]
    .toSorted(([one], [other]) => byCodePoints(one, other))
    .map(([content, rows]) => ({
      commentId,
      content,
      count: rows.length,
      own: rows.some(({ userId }) => userId === user)
    }))

/** Counts reactions in memory. */
export const reactionStore = Layer.effect(
  ReactionStore,
  Effect.map(Tables, (tables) => ({
    counts: (issue, ids, user) =>
      tables.database.read((snapshot) => {
        // BOUNDARY: a declaration says of its table what its rows are.
        const within = <Row>({ name }: OwnedData, field: string, id: number) =>
          (tables.owned.get(name)?.scopes.get(field)?.list(snapshot, String(id)) ?? []) as unknown as ReadonlyArray<Row>
        const all = tables.owned.get(comments.name)?.rows as unknown as Table<Comment>
        const own = [...new Set(ids)]
          .filter((id) => all.get(snapshot, id)?.issueId === issue)
          .toSorted((one, other) => one - other)
        return [
          ...countsOf(null, within<IssueReaction>(issueReactions, "issueId", issue), user),
          ...own.flatMap((id) => countsOf(id, within<CommentReaction>(commentReactions, "commentId", id), user))
        ]
      })
  }))
)
