import type { Stores } from "@slipway/domain/forge"
import { commentReactions, issueReactions, ReactionStore } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newCommentOn, newIssueIn, userOwner } from "../../builders.ts"
import { equal, repository, user } from "../base/fixtures.ts"

const fixture = Effect.gen(function* () {
  const [ann, bob] = [yield* user(1), yield* user(2)]
  const site = yield* repository(1, userOwner(ann))
  const issue = yield* newIssueIn(site.id, ann.id, "one")
  const other = yield* newIssueIn(site.id, ann.id, "other")
  const first = yield* newCommentOn(issue, ann.id, "first")
  const second = yield* newCommentOn(issue, ann.id, "second")
  const elsewhere = yield* newCommentOn(other, ann.id, "elsewhere")
  const [issues, comments] = [yield* issueReactions.store, yield* commentReactions.store]
  const at = { createdAt: moment(1) }
  for (const { id: userId } of [ann, bob])
    yield* Effect.orDie(issues.insert({ issueId: issue.id, userId, content: "heart", ...at }))
  for (const [commentId, userId, content] of [
    [second.id, ann.id, "rocket"],
    [second.id, bob.id, "+1"],
    [first.id, ann.id, "eyes"],
    [elsewhere.id, ann.id, "eyes"]
  ] as const)
    yield* Effect.orDie(comments.insert({ commentId, userId, content, ...at }))
  return { ann, bob, issue, first, second, elsewhere, store: yield* ReactionStore }
})

/** Contract tests of the counts of reactions. Every implementation must pass them. */
export const reactions: Contract<Stores> = {
  port: "ReactionStore",
  musts: {
    "count the reactions to an issue and to the given ones of its comments by content, the issue's first": Effect.gen(
      function* () {
        const { elsewhere, first, issue, second, store } = yield* fixture
        const counted = (comments: ReadonlyArray<typeof first.id>) =>
          Effect.map(store.counts(issue.id, comments, undefined), (rows) =>
            rows.map(({ commentId, content, count, own }) => [commentId, content, count, own])
          )
        equal(yield* counted([second.id, first.id, elsewhere.id]), [
          [null, "heart", 2, false],
          [first.id, "eyes", 1, false],
          [second.id, "+1", 1, false],
          [second.id, "rocket", 1, false]
        ])
        equal(yield* counted([]), [[null, "heart", 2, false]])
      }
    ),
    "report the contents with which the user reacted": Effect.gen(function* () {
      const { bob, issue, second, store } = yield* fixture
      const rows = yield* store.counts(issue.id, [second.id], bob.id)
      equal(
        rows.map(({ content, own }) => [content, own]),
        [
          ["heart", true],
          ["+1", true],
          ["rocket", false]
        ]
      )
    })
  }
}
