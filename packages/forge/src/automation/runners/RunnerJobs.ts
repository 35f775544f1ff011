import { now, Transaction } from "@slipway/domain"
import { type Runner, runners } from "@slipway/domain/forge/automation"
import { Effect, Exit } from "effect"
import * as RunnerWork from "../workflows/RunnerWork.ts"
import { finish, note } from "./Runners.ts"

/** Marks an ephemeral runner as active. Returns undefined if the runner is disabled, removed or already active. */
const markActive = Effect.fnUntraced(function* ({ id }: Runner) {
  const store = yield* runners.store
  const runner = yield* store.lock({}, id)
  if (runner === undefined || runner.disabled || runner.lastActiveAt !== null) return undefined
  return yield* Effect.orDie(store.patch({}, id, { lastActiveAt: yield* now }))
})

/**
 * Claims a job for an ephemeral runner, which runs only one job in its life.
 *
 * This runs without a common transaction, because claiming locks the job before its run, while finishing a run locks in
 * the reverse order (deadlock). After a crash between the steps, the runner has no job, but never two.
 */
const onlyJob = Effect.fnUntraced(function* (asking: Runner, reachedAt: string) {
  const runner = yield* (yield* Transaction).run(markActive(asking))
  if (runner === undefined) return undefined
  const store = yield* runners.store
  return yield* Effect.onExit(RunnerWork.fetchTask(runner, reachedAt), (exit) =>
    Exit.isSuccess(exit) && exit.value !== undefined
      ? Effect.void
      : Effect.asVoid(Effect.orDie(store.patch({}, runner.id, { lastActiveAt: null })))
  )
})

/**
 * Claims the oldest waiting job with matching labels for a runner; undefined if there is none or the runner is
 * disabled.
 */
export const fetch = Effect.fnUntraced(function* (runner: Runner, reachedAt = "") {
  yield* note(runner, false)
  if (runner.disabled) return undefined
  if (runner.ephemeral) return yield* onlyJob(runner, reachedAt)
  const task = yield* RunnerWork.fetchTask(runner, reachedAt)
  if (task !== undefined) yield* note(runner, true)
  return task
})

/** Stores the state of a job as reported by its runner, and returns the job's resulting state. */
export const update = Effect.fnUntraced(function* (runner: Runner, said: RunnerWork.TaskUpdate) {
  const state = yield* RunnerWork.updateTask(runner, said)
  yield* said.result === 0 ? note(runner, true) : finish(runner)
  return state
})

/** Appends lines to the log of a runner's job, and returns the number of stored lines. */
export const log = Effect.fnUntraced(function* (runner: Runner, said: RunnerWork.LogUpdate) {
  const lines = yield* RunnerWork.appendLog(runner, said)
  yield* note(runner, true)
  return lines
})
