import { now, Transaction } from "@slipway/domain"
import { type Runner, runners } from "@slipway/domain/forge/automation"
import { Effect, Exit } from "effect"
import * as RunnerWork from "../workflows/RunnerWork.ts"
import { finish, note } from "./Runners.ts"

/** Marks an ephemeral runner as active; returns undefined if it is disabled, removed, or active already. */
const markActive = Effect.fnUntraced(function* ({ id }: Runner) {
  const store = yield* runners.store
  const runner = yield* store.lock({}, id)
  if (runner === undefined || runner.disabled || runner.lastActiveAt !== null) return undefined
  return yield* Effect.orDie(store.patch({}, id, { lastActiveAt: yield* now }))
})

/**
 * Claims a job for an ephemeral runner.
 *
 * Runs without a transaction: claiming locks a job before its run, and ending a run locks in reverse order. A crash in
 * between leaves the runner without a job, but never with two.
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

/** Returns the oldest matching job for a runner; a disabled runner gets none. */
export const fetch = Effect.fnUntraced(function* (runner: Runner, reachedAt = "") {
  yield* note(runner, false)
  if (runner.disabled) return undefined
  if (runner.ephemeral) return yield* onlyJob(runner, reachedAt)
  const task = yield* RunnerWork.fetchTask(runner, reachedAt)
  if (task !== undefined) yield* note(runner, true)
  return task
})

/** Applies a runner's report about its job and returns the job's state. */
export const update = Effect.fnUntraced(function* (runner: Runner, said: RunnerWork.TaskUpdate) {
  const state = yield* RunnerWork.updateTask(runner, said)
  yield* said.result === 0 ? note(runner, true) : finish(runner)
  return state
})

/** Appends log lines of a runner's job and returns how many lines are stored. */
export const log = Effect.fnUntraced(function* (runner: Runner, said: RunnerWork.LogUpdate) {
  const lines = yield* RunnerWork.appendLog(runner, said)
  yield* note(runner, true)
  return lines
})
