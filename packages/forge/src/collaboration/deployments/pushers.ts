import { PushStore, type Repository } from "@slipway/domain/forge/code"
import type { Deployment } from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** The number of recent pushes that are searched for a commit: for an email, and for a review. */
const searched = { email: 50, review: 300 } as const

const recentPushes = Effect.fnUntraced(function* ({ id }: Repository, most: number) {
  return (yield* (yield* PushStore).list(id, { page: 1, perPage: most })).rows
})

type Pushes = Effect.Success<ReturnType<typeof recentPushes>>

/**
 * Returns the push that brought a commit to the ref of a deployment; if there is none, the first push of the commit to
 * any ref.
 */
const pushOf = (pushes: Pushes, { commit, ref }: Deployment) => {
  const names = [ref, `refs/heads/${ref}`, `refs/tags/${ref}`]
  const ofRef = pushes.find(({ refs }) => refs.some((each) => each.after === commit && names.includes(each.ref)))
  // Later pushes of the commit to other refs, such as a tag, are not the ones that brought it.
  return ofRef ?? pushes.findLast(({ refs }) => refs.some(({ after }) => after === commit))
}

const actorOf = (push: Pushes[number] | undefined) => push?.event.actor?.id as UserId | undefined

/** Finds the user who pushed the commit of a deployment; undefined if the push is not among the recent ones. */
export const pusherOf = Effect.fnUntraced(function* (repository: Repository, deployment: Deployment) {
  return actorOf(pushOf(yield* recentPushes(repository, searched.email), deployment))
})

/**
 * Returns whether a user may have pushed the commit of a deployment.
 *
 * If the commit is not the newest one of any recent push, this cannot be decided exactly. Then it returns true for
 * every user with a recent push, and for any user if there are more pushes than are searched.
 */
export const mayHavePushed = Effect.fnUntraced(function* (
  repository: Repository,
  deployment: Deployment,
  user: UserId
) {
  const pushes = yield* recentPushes(repository, searched.review)
  const push = pushOf(pushes, deployment)
  if (push !== undefined) return actorOf(push) === user
  return pushes.length === searched.review || pushes.some((each) => actorOf(each) === user)
})
