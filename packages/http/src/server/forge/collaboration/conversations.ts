import { CommentId, type ReactionCount } from "@slipway/domain/forge/collaboration"
import { numberIn } from "@slipway/domain/forge/entry"
import { Reactions, Stopwatches, Subscriptions, Times } from "@slipway/forge/collaboration"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import {
  Reaction,
  reactionCountEndpoints,
  reactionEndpoints,
  subscriptionEndpoints,
  timeEndpoints
} from "../../../api/forge/collaboration/conversations.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { nonEmpty, period, readOptionalTime } from "../base/queries.ts"
import { showPersonTo, showUserTo, type ViewerResource } from "../base/show.ts"
import { handle, shown, shownPage } from "../entry/handle.ts"
import { showTimeTo } from "./showIssue.ts"

const showReactionTo = (acting: ViewerResource) =>
  Effect.map(showPersonTo(acting), ({ ghost, show }) => ({ people, reaction }: Reactions.ReactionView) => {
    const user = people.get(reaction.userId)
    return {
      user: user === undefined ? ghost() : show(user),
      content: reaction.content,
      created_at: reaction.createdAt
    }
  })

const encode = Schema.encodeSync(Reaction)

/** Returns status 201 with a new reaction, or 200 with a reaction that existed already. */
const added = <E, R>(acting: ViewerResource, adding: Effect.Effect<Reactions.ReactionView, E, R>) =>
  Effect.gen(function* () {
    const view = yield* adding
    const show = yield* showReactionTo(acting)
    return HttpServerResponse.jsonUnsafe(encode(show(view)), { status: view.fresh ? 201 : 200 })
  })

/** The handlers of reactions. */
export const layerReactions = handle(
  reactionEndpoints,
  {
    "issue.reaction.list": ({ page, proof }) => Reactions.list(proof, page),
    "issue.reaction.add": ({ body, proof }) => added(proof.resource, Reactions.add(proof, body.content)),
    "issue.reaction.remove": ({ body, proof }) => Reactions.remove(proof, body.content),
    "issue.comment.reaction.list": ({ page, proof }) => Reactions.listOfComment(proof, page),
    "issue.comment.reaction.add": ({ body, proof }) =>
      added(proof.resource, Reactions.addToComment(proof, body.content)),
    "issue.comment.reaction.remove": ({ body, proof }) => Reactions.removeFromComment(proof, body.content)
  },
  { showTo: showReactionTo }
)

/** The handler that counts reactions. */
export const layerReactionCounts = handle(
  reactionCountEndpoints,
  {
    "issue.reaction.count": ({ proof, query }) =>
      Reactions.count(
        proof,
        (query.comments ?? "").split(",").map((id) => CommentId.make(numberIn(id)))
      )
  },
  { show: ({ commentId, ...counted }: ReactionCount) => ({ ...counted, comment_id: commentId ?? 0 }) }
)

/** Returns a duration as text, such as `1h 2min 3s`. */
const inWords = (seconds: number): string => {
  const parts = [
    [Math.floor(seconds / 3_600), "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"]
  ] as const
  const said = parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`]))
  return said.length === 0 ? "0s" : said.join(" ")
}

const showStopwatch = ({ issue, repository, seconds, stopwatch }: Stopwatches.StopwatchView) => ({
  created: stopwatch.startedAt,
  seconds,
  duration: inWords(seconds),
  issue_index: issue.number,
  issue_title: issue.title,
  repo_owner_name: repository.owner,
  repo_name: repository.name
})

/** The handlers of tracked times and stopwatches. */
export const layerTimes = handle(
  timeEndpoints,
  {
    "issue.time.list": ({ page, proof, query }) => Times.list(proof, nonEmpty(query.user), period(query), page),
    "issue.time.create": ({ body, proof }) =>
      Times.create(proof, {
        seconds: body.time,
        userName: nonEmpty(body.user_name),
        createdAt: readOptionalTime(body.created)
      }),
    "issue.time.reset": ({ proof }) => Times.reset(proof),
    "issue.time.delete": ({ proof }) => Times.remove(proof),
    "repository.time.list": ({ page, proof, query }) =>
      Times.ofRepository(proof, nonEmpty(query.user), period(query), page),
    "repository.time.list-of-user": ({ page, params, proof, query }) =>
      Times.ofRepository(proof, params.timetrackingusername, period(query), page),
    "account.time.list": ({ page, proof, query }) => Times.ofSelf(proof, period(query), page),
    "account.stopwatch.list": ({ page, proof }) => shownPage(Stopwatches.ofSelf(proof, page), showStopwatch),
    "issue.stopwatch.start": ({ proof }) => Stopwatches.start(proof),
    "issue.stopwatch.stop": ({ proof }) => Stopwatches.stop(proof),
    "issue.stopwatch.delete": ({ proof }) => Stopwatches.remove(proof)
  },
  { showTo: showTimeTo }
)

/** Returns status 201 if the subscription changed, and 200 if nothing changed. */
const settled = <E, R>(setting: Effect.Effect<boolean, E, R>) =>
  Effect.map(setting, (fresh) => HttpServerResponse.empty({ status: fresh ? 201 : 200 }))

/** The handlers of subscriptions to issues. */
export const layerSubscriptions = handle(
  subscriptionEndpoints,
  {
    "issue.subscription.list": ({ page, proof }) => Subscriptions.list(proof, page),
    "issue.subscription.check": ({ proof }) =>
      Effect.gen(function* () {
        const { rootUrl } = yield* PublicUrl
        const { issue, repository, subscribed } = yield* Subscriptions.check(proof)
        const url = `${rootUrl}/api/v1/repos/${repository.owner}/${repository.name}`
        return shown({
          subscribed,
          ignored: !subscribed,
          reason: null,
          created_at: issue.createdAt,
          url: `${url}/issues/${issue.number}/subscriptions`,
          repository_url: url
        })
      }),
    "issue.subscription.add": ({ params, proof }) => settled(Subscriptions.add(proof, params.user)),
    "issue.subscription.remove": ({ params, proof }) => settled(Subscriptions.remove(proof, params.user))
  },
  { showTo: showUserTo }
)
