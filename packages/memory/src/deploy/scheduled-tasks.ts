import { mostExecutions, mostTasksAtOnce, ScheduledTaskStore } from "@slipway/domain/deploy"
import { Effect, Layer, Result } from "effect"
import { dueStore } from "./due.ts"
import { Tables } from "./tables.ts"

const all = { limit: Number.POSITIVE_INFINITY }

/** Scheduled tasks in memory. */
export const scheduledTaskStore = Layer.effect(
  ScheduledTaskStore,
  Effect.map(Tables, ({ application, database, execution, executionsOfTask, task, tasksOfApplication }) => {
    const { change, shown, store } = dueStore({
      database,
      rows: task,
      runs: execution,
      runsOf: executionsOfTask,
      ownerOf: ({ applicationUuid }) => applicationUuid,
      mostAtOnce: mostTasksAtOnce,
      forget: (snapshot, { taskUuid }) => {
        for (const old of executionsOfTask.list(snapshot, taskUuid, { ...all, skip: mostExecutions })) {
          execution.remove(snapshot, old.id)
        }
      }
    })
    return {
      ...store,
      ofApplication: (uuid) => database.read((snapshot) => tasksOfApplication.list(snapshot, uuid).map(shown)),
      insert: (row) =>
        database
          .write((snapshot) => {
            if (!application.has(snapshot, row.applicationUuid)) return Result.succeed(undefined)
            return Result.map(task.insert(snapshot, { ...row, claimedBy: null, leaseUntil: null }), shown)
          })
          .pipe(Effect.orDie),
      replace: ({ dueAt, isAsked: _, ...row }) =>
        Effect.asVoid(
          change(row.uuid, ({ frequency, isEnabled }) =>
            // A worker may have moved it on since the row was read.
            frequency === row.frequency && isEnabled === row.isEnabled ? row : { ...row, dueAt }
          )
        ),
      remove: (uuid, which) =>
        database
          .write((snapshot) => {
            const present = task.find(snapshot, which)
            return present?.applicationUuid === uuid ? task.remove(snapshot, present.id) : Result.succeed(false)
          })
          .pipe(Effect.orDie)
    }
  })
)
