import { now, Transaction } from "@slipway/domain"
import { type Runner, runners } from "@slipway/domain/forge/automation"
import { Effect, Exit } from "effect"
import * as RunnerWork from "../workflows/RunnerWork.ts"
import { finish, note } from "./Runners.ts"

/** Keeps a runner that does one job alone for one request, unless it had its job, or another request has the runner. */
const kept = Effect.fnUntraced(function* ({ id }: Runner) {
  const store = yield* runners.store
  const runner = yield* store.lock({}, id)
  if (runner === undefined || runner.disabled || runner.lastActiveAt !== null) return undefined
  return yield* Effect.orDie(store.patch({}, id, { lastActiveAt: yield* now }))
})

/**
 * Claims a job for a runner that does one alone.
 *
 * No transaction is around it: who claims a job locks its run behind that, and who ends a run does it the other way round. A process that
 * is killed in between leaves the runner without a job, and never with two.
 */
const onlyJob = Effect.fnUntraced(function* (asking: Runner, reachedAt: string) {
  const runner = yield* (yield* Transaction).run(kept(asking))
  if (runner === undefined) return undefined
  const store = yield* runners.store
  return yield* Effect.onExit(RunnerWork.fetchTask(runner, reachedAt), (exit) =>
    Exit.isSuccess(exit) && exit.value !== undefined
      ? Effect.void
      : Effect.asVoid(Effect.orDie(store.patch({}, runner.id, { lastActiveAt: null })))
  )
})

/** Gives a runner the oldest job that it can do; one that is disabled gets none. */
export const fetch = Effect.fnUntraced(function* (runner: Runner, reachedAt = "") {
  yield* note(runner, false)
  if (runner.disabled) return undefined
  if (runner.ephemeral) return yield* onlyJob(runner, reachedAt)
  const task = yield* RunnerWork.fetchTask(runner, reachedAt)
  if (task !== undefined) yield* note(runner, true)
  return task
})

/** Takes what a runner says of a job that it does, and answers how that is to end. */
export const update = Effect.fnUntraced(function* (runner: Runner, said: RunnerWork.TaskUpdate) {
  const state = yield* RunnerWork.updateTask(runner, said)
  yield* said.result === 0 ? note(runner, true) : finish(runner)
  return state
})

/** Takes lines of the log of a job that a runner does, and answers how many there are. */
export const log = Effect.fnUntraced(function* (runner: Runner, said: RunnerWork.LogUpdate) {
  const lines = yield* RunnerWork.appendLog(runner, said)
  yield* note(runner, true)
  return lines
})
