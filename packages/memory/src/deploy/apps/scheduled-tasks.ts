import { mostConcurrentTasks, mostExecutions, ScheduledTaskStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { dueStore } from "../base/due.ts"
import { Tables } from "../base/tables.ts"

const all = { limit: Number.POSITIVE_INFINITY }

/** Stores scheduled tasks in memory. */
export const scheduledTaskStore = Layer.effect(
  ScheduledTaskStore,
  Effect.map(Tables, ({ application, database, execution, executionsOfTask, task, tasksOfApplication }) => {
    const { shown, store } = dueStore({
      database,
      rows: task,
      runs: execution,
      runsOf: executionsOfTask,
      ownerOf: ({ applicationUuid }) => applicationUuid,
      hasOwner: (snapshot, uuid) => application.has(snapshot, uuid),
      mostAtOnce: mostConcurrentTasks,
      forget: (snapshot, { taskUuid }) => {
        for (const old of executionsOfTask.list(snapshot, taskUuid, { ...all, skip: mostExecutions })) {
          execution.remove(snapshot, old.id)
        }
      }
    })
    return {
      ...store,
      ofApplication: (uuid) => database.read((snapshot) => tasksOfApplication.list(snapshot, uuid).map(shown))
    }
  })
)
