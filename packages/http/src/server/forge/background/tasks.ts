import type { TaskState } from "@slipway/domain/forge/background"
import { Tasks } from "@slipway/forge/background"
import { Effect } from "effect"
import { taskEndpoints } from "../../../api/forge/background/tasks.ts"
import { handle } from "../entry/handle.ts"

const showTask = ({ begunAt, dueAt, name, runs, schedule }: TaskState) => ({
  name,
  schedule,
  next: dueAt,
  prev: begunAt,
  exec_times: runs
})

/** The handlers of periodic tasks. */
export const layerTasks = handle(
  taskEndpoints,
  {
    "admin.cron.list": ({ page: { page, perPage }, proof }) =>
      Effect.map(Tasks.list(proof), (all) => ({
        rows: all.slice((page - 1) * perPage, page * perPage),
        total: all.length
      })),
    "admin.cron.run": ({ params, proof }) => Tasks.start(proof, params.task)
  },
  { show: showTask }
)
