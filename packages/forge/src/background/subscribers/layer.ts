import type { RepositoryId } from "@slipway/domain/forge/base"
import { Context, Effect, Layer } from "effect"
import { JobHandlers } from "../../base/jobs/JobHandlers.ts"
import { type SettledPush, Subscribers } from "../../base/subscribers/Subscribers.ts"
import { followRenamedBranch } from "../../collaboration/pulls/followBranch.ts"
import { closePullsFrom } from "../../collaboration/pulls/refresh.ts"
import { queueCodeIndex } from "../../collaboration/recognition/queueCodeIndex.ts"
import { withdrawReleasesOf } from "../../collaboration/releases/withdrawReleases.ts"
import { wakeMirrors, wakePushMirrors } from "../../integrations/mirrors/wakeMirrors.ts"
import { describe, type JobServices, perform } from "../jobs/handlers.ts"

/** The subscribers of each internal event, in the order in which they run. */
const subscribers = {
  pushed: Effect.fnUntraced(function* (push: SettledPush) {
    yield* followRenamedBranch(push)
    yield* withdrawReleasesOf(push)
    yield* wakePushMirrors(push)
  }),
  defaultBranchMoved: queueCodeIndex,
  gitCreated: wakeMirrors,
  repositoriesLeaving: closePullsFrom
}

type SubscriberServices = Effect.Services<ReturnType<(typeof subscribers)[keyof typeof subscribers]>>

/**
 * Provides services to an effect. Services of the caller take precedence, so that a subscriber runs in the caller's
 * transaction.
 */
const within =
  <R>(own: Context.Context<R>) =>
  <A, E>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E> =>
    Effect.contextWith((callers: Context.Context<never>) => Effect.provideContext(effect, Context.merge(own, callers)))

/**
 * Provides the event subscribers of higher areas (groups of modules) to use cases of lower areas. They need only the
 * database.
 */
export const layerSubscribers = Layer.effect(
  Subscribers,
  Effect.map(Effect.context<SubscriberServices>(), (own) => ({
    pushed: (push: SettledPush) => within(own)(subscribers.pushed(push)),
    defaultBranchMoved: (id: RepositoryId) => within(own)(subscribers.defaultBranchMoved(id)),
    gitCreated: (id: RepositoryId) => within(own)(subscribers.gitCreated(id)),
    repositoriesLeaving: (ids: Parameters<typeof closePullsFrom>[0]) =>
      within(own)(subscribers.repositoriesLeaving(ids))
  }))
)

const layerJobHandlers = Layer.effect(
  JobHandlers,
  Effect.map(Effect.context<Exclude<JobServices, JobHandlers>>(), (own) => {
    const handlers: JobHandlers["Service"] = {
      describe,
      perform: (job) => within(Context.add(own, JobHandlers, handlers))(perform(job))
    }
    return handlers
  })
)

/**
 * Provides the job handlers and event subscribers of higher areas (groups of modules) to use cases of lower areas,
 * which cannot import them.
 */
export const layerBackground = Layer.provideMerge(layerJobHandlers, layerSubscribers)
