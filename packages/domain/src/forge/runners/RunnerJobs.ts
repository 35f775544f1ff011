import { Effect } from "effect"
import { Transaction } from "../../Transaction.ts"
import * as RunnerWork from "../workflows/RunnerWork.ts"
import { type Runner, runners } from "./Runner.ts"
import { finish, note } from "./Runners.ts"

/** Claims a job for a runner that does one alone, unless it had it. */
const onlyJob = Effect.fnUntraced(function* ({ id }: Runner, reachedAt: string) {
  // Whoever asks twice at once waits here for the first answer.
  const runner = yield* (yield* runners.store).lock({}, id)
  if (runner === undefined || runner.disabled || runner.lastActiveAt !== null) return undefined
  const task = yield* RunnerWork.fetchTask(runner, reachedAt)
  if (task !== undefined) yield* note(runner, true)
  return task
})

/** Gives a runner the oldest job that it can do; one that is disabled gets none. */
export const fetch = Effect.fnUntraced(function* (runner: Runner, reachedAt = "") {
  yield* note(runner, false)
  if (runner.disabled) return undefined
  if (runner.ephemeral) return yield* (yield* Transaction).run(onlyJob(runner, reachedAt))
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
