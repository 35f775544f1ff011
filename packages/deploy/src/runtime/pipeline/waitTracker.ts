import { now } from "@slipway/domain"
import type { Deployment } from "@slipway/domain/deploy/apps"
import { DeploymentStore, hasEnded } from "@slipway/domain/deploy/apps"
import { Clock, Duration, Effect } from "effect"
import { type DeployWaiting, fail, failureReasonOf, isPassing, logLines, type Waiting } from "./deployContext.ts"

/** Creates the tracker of what a deployment waits for, for the worker that performs the deployment. */
export const makeWaiting = (worker: string, deployment: Deployment): DeployWaiting => {
  let lastReported = ""
  return {
    on: Effect.fnUntraced(function* (what: string) {
      if (what === lastReported) return
      lastReported = what
      yield* logLines(deployment, [`waiting for ${what}`])
      const store = yield* DeploymentStore
      const present = yield* store.find(deployment.uuid)
      if (present === undefined || hasEnded(present.status)) return
      yield* store.save({ ...present, reason: `waiting for ${what}`, updatedAt: yield* now }, worker)
    }),
    found: Effect.fnUntraced(function* (commit: string, commitMessage: string) {
      const store = yield* DeploymentStore
      const present = yield* store.find(deployment.uuid)
      if (present === undefined || hasEnded(present.status) || present.commit === commit) return
      yield* store.save({ ...present, commit, commitMessage, updatedAt: yield* now }, worker)
    }),
    over: () => {
      lastReported = ""
    },
    shown: () => (lastReported === "" ? "" : `, waiting for ${lastReported}`)
  }
}

const silent = {
  EngineUnreachable: "the engine of the server, which does not respond",
  ProxyUnreachable: "the proxy of the server, which does not respond"
} as const

/** The time in seconds between two failed attempts after which the timeout starts again. */
const longestAttempt = 120

/**
 * Returns a function to call after each attempt without a response of the server. It reports the wait, and fails after
 * `seconds` without a response.
 */
export const makeTimeout = (waiting: Waiting, seconds: () => number) => {
  let since = 0
  let last = 0
  return Effect.fnUntraced(function* (error: { readonly _tag: string }) {
    const what = `${silent[error._tag as keyof typeof silent]}: ${failureReasonOf(error)}`
    const at = (yield* Clock.currentTimeMillis) / 1_000
    if (at - last > longestAttempt) since = at
    last = at
    yield* waiting.on(what)
    const allowed = seconds()
    if (at - since > allowed) return yield* fail(`waited ${allowed} seconds for ${what}`)
  })
}

/** Retries an effect while a server does not respond, without a time limit: `onRetry` or the caller must stop it. */
export const persistently = <A, E extends { readonly _tag: string }, R, E2 = never, R2 = never>(
  effect: Effect.Effect<A, E, R>,
  onRetry: (error: { readonly _tag: string }) => Effect.Effect<void, E2, R2>,
  seconds = 1
): Effect.Effect<A, E | E2, R | R2> =>
  Effect.catchIf(effect, isPassing, (error) =>
    onRetry(error).pipe(
      Effect.andThen(Effect.sleep(Duration.seconds(seconds))),
      Effect.andThen(persistently(effect, onRetry, Math.min(seconds * 2, 15)))
    )
  ) as Effect.Effect<A, E | E2, R | R2>
