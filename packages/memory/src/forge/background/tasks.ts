import { type TaskState, TaskStore } from "@slipway/domain/forge/background"
import { Effect, Layer, Result } from "effect"
import { Tables, type TaskRow } from "../base/tables.ts"

const stateOf = ({ heldUntil: _, id: __, ...state }: TaskRow): TaskState => state

/** Stores the due times of tasks in memory. */
export const taskStore = Layer.effect(
  TaskStore,
  Effect.map(Tables, ({ database, task }) => {
    const all = (snapshot: Parameters<typeof task.list>[0]) => task.list(snapshot, { limit: Number.POSITIVE_INFINITY })
    const named = (snapshot: Parameters<typeof task.list>[0], name: string) =>
      all(snapshot).find((row) => row.name === name)
    /** Changes the row of a task if it exists; returns whether it does. */
    const change = (name: string, next: (row: TaskRow) => TaskRow | undefined) =>
      database
        .write((snapshot) => {
          const row = named(snapshot, name)
          const changed = row === undefined ? undefined : next(row)
          return changed === undefined ? Result.succeed(false) : task.replace(snapshot, changed)
        })
        .pipe(Effect.orDie)
    return {
      plan: (plans) =>
        Effect.forEach(
          plans,
          (plan) =>
            database
              .write((snapshot): Result.Result<unknown, unknown> => {
                const row = named(snapshot, plan.name)
                if (row === undefined)
                  return task.insert(snapshot, { ...plan, begunAt: null, runs: 0, heldUntil: null })
                return row.schedule === plan.schedule
                  ? Result.succeed(true)
                  : task.replace(snapshot, { ...row, ...plan })
              })
              .pipe(Effect.orDie),
          { discard: true }
        ),
      list: database.read((snapshot) =>
        all(snapshot)
          .map(stateOf)
          .sort((one, other) => (one.name < other.name ? -1 : 1))
      ),
      take: (names, at, until) =>
        database
          .write((snapshot) =>
            Result.all(
              all(snapshot)
                .filter(({ dueAt, heldUntil, name }) => {
                  return names.includes(name) && dueAt <= at && (heldUntil === null || heldUntil <= at)
                })
                .map((row) => {
                  const taken = { ...row, begunAt: at, runs: row.runs + 1, heldUntil: until }
                  return Result.map(task.replace(snapshot, taken), () => stateOf(taken))
                })
            )
          )
          .pipe(Effect.orDie),
      renew: ({ name, runs }, until) =>
        change(name, (row) => (row.runs === runs && row.heldUntil !== null ? { ...row, heldUntil: until } : undefined)),
      finish: ({ name, runs }, dueAt) =>
        change(name, (row) =>
          row.runs === runs && row.heldUntil !== null ? { ...row, dueAt, heldUntil: null } : undefined
        ),
      hasten: (name, at) => change(name, (row) => (row.dueAt <= at ? row : { ...row, dueAt: at }))
    }
  })
)
