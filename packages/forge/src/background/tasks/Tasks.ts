import { logOutages, now, timeIn, timeOf } from "@slipway/domain"
import { NoticeStore, type Task, type TaskState, TaskStore } from "@slipway/domain/forge/background"
import type { Proof } from "@slipway/domain/forge/entry"
import { Cause, Cron, Data, Duration, Effect, Schedule } from "effect"
import { audited } from "../../base/events/record.ts"
import { tasks } from "./catalogue.ts"

/** The lease of a scheduled task: if it is not renewed in this time, another worker may run the task. */
const lease = Duration.seconds(30)
const renewal = Duration.seconds(10)

/** Reports that no scheduled task with this name exists. */
export class TaskNotFound extends Data.TaggedError("TaskNotFound")<{ readonly name: string }> {}

/**
 * Returns the next time of a cron schedule, later than the given time in ISO 8601 (UTC).
 *
 * ```ts
 * import { dueAfter } from "./Tasks.ts"
 *
 * dueAfter("30 3 * * 0", "2026-11-22T09:56:00.000Z") // => "2026-11-29T03:30:00.000Z"
 * ```
 */
export const dueAfter = (schedule: string, at: string): string =>
  timeOf(Cron.next(Cron.parseUnsafe(schedule, "UTC"), at))

const known = (states: ReadonlyArray<TaskState>, of: ReadonlyArray<Pick<Task, "name">>) =>
  states.filter(({ name }) => of.some((task) => task.name === name))

/** Lists the scheduled tasks by name. */
export const list = Effect.fnUntraced(function* (_: Proof<"admin.cron.list">) {
  return known(yield* (yield* TaskStore).list, tasks)
})

/** Makes a scheduled task due immediately; a worker starts it within seconds. */
export const start = audited(
  Effect.fnUntraced(function* (_: Proof<"admin.cron.run">, name: string) {
    const isKnown = tasks.some((task) => task.name === name)
    if (!isKnown || !(yield* (yield* TaskStore).hasten(name, yield* now))) return yield* new TaskNotFound({ name })
  }),
  (_, name) => ({ details: { task: name } })
)

/** Stores the next start of tasks that are new or have a changed schedule. */
export const plan = Effect.fnUntraced(function* (planned: ReadonlyArray<Pick<Task, "name" | "schedule">>) {
  const at = yield* now
  yield* (yield* TaskStore).plan(
    planned.map(({ name, schedule }) => ({ name, schedule, dueAt: dueAfter(schedule, at) }))
  )
})

/** Renews the lease of a task repeatedly. Ends when another worker has taken over the task. */
const keep = Effect.fnUntraced(function* (taken: TaskState) {
  const store = yield* TaskStore
  const renewed = Effect.flatMap(timeIn(lease), (until) => store.renew(taken, until))
  // A short database outage is no reason to stop: the lease is longer.
  const tried = Effect.catchDefect(renewed, (defect) =>
    Effect.as(Effect.logWarning("a task could not be stored", defect), true)
  )
  yield* Effect.repeat(Effect.andThen(Effect.sleep(renewal), tried), { while: (isMine) => isMine })
})

const perform = Effect.fnUntraced(function* <R>(task: Task<R>, taken: TaskState) {
  yield* Effect.raceFirst(task.run, keep(taken)).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.gen(function* () {
            yield* Effect.logError(`the task ${task.name} failed`, cause)
            const text = `the task ${task.name} failed; see the log of the service`
            yield* (yield* NoticeStore).add(text, yield* now)
          })
    )
  )
  yield* (yield* TaskStore).finish(taken, dueAfter(task.schedule, yield* now))
})

/** Runs all due tasks concurrently, waits for them, and returns their names. */
export const runDue = Effect.fnUntraced(function* <R>(of: ReadonlyArray<Task<R>>) {
  const names = of.map(({ name }) => name)
  const taken = yield* (yield* TaskStore).take(names, yield* now, yield* timeIn(lease))
  yield* Effect.forEach(
    taken,
    (state) => {
      const task = of.find(({ name }) => name === state.name)
      return task === undefined ? Effect.void : perform(task, state)
    },
    { concurrency: "unbounded", discard: true }
  )
  return taken.map(({ name }) => name)
})

/** Runs scheduled tasks when they are due, until interrupted. A slow task does not delay the others. */
export const worker = <R>(of: ReadonlyArray<Task<R>>, every: Duration.Input = "5 seconds") => {
  let planned = false
  const planning = Effect.andThen(
    plan(of),
    Effect.sync(() => {
      planned = true
    })
  )
  const look = Effect.suspend(() => (planned ? runDue(of) : planning)).pipe(logOutages("tasks could not be looked up"))
  return Effect.scoped(Effect.repeat(Effect.forkScoped(look), Schedule.spaced(every)))
}
