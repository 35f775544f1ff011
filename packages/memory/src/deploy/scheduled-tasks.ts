import {
  type Execution,
  mostExecutions,
  mostTasksAtOnce,
  type ScheduledTask,
  ScheduledTaskStore
} from "@slipway/domain/deploy"
import { Effect, Layer, Result } from "effect"
import { Tables, type TaskRow } from "./tables.ts"

const shown = ({ claimedBy: _, leaseUntil: __, ...task }: TaskRow): ScheduledTask => task
const shownExecution = ({ id: _, ...execution }: Execution & { readonly id: number }): Execution => execution
const all = { limit: Number.POSITIVE_INFINITY }

/** Scheduled tasks in memory. */
export const scheduledTaskStore = Layer.effect(
  ScheduledTaskStore,
  Effect.map(Tables, ({ application, database, execution, executionsOfTask, task, tasksOfApplication }) => {
    /** Changes a task that is there and meets a condition; tells whether it was. */
    const change = (
      uuid: string,
      facts: Partial<TaskRow> | ((present: TaskRow) => Partial<TaskRow>),
      isMeant: (row: TaskRow) => boolean = () => true
    ) =>
      database
        .write((snapshot) => {
          const present = task.find(snapshot, uuid)
          if (present === undefined || !isMeant(present)) return Result.succeed(false)
          return Result.map(
            task.replace(snapshot, { ...present, ...(typeof facts === "function" ? facts(present) : facts) }),
            () => true
          )
        })
        .pipe(Effect.orDie)
    return {
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
          .pipe(Effect.orDie),
      ask: (uuid) => Effect.asVoid(change(uuid, { isAsked: true })),
      claim: ({ at, until, worker }) =>
        database
          .write((snapshot) => {
            const rows = task.list(snapshot, all)
            const underWay = (application: string) =>
              rows.filter((row) => row.applicationUuid === application && row.leaseUntil !== null).length
            const due = rows.find(({ applicationUuid, dueAt, isAsked, leaseUntil }) => {
              if (leaseUntil !== null) return leaseUntil <= at
              return (isAsked || (dueAt !== null && dueAt <= at)) && underWay(applicationUuid) < mostTasksAtOnce
            })
            if (due === undefined) return Result.succeed(undefined)
            const taken = { ...due, claimedBy: worker, leaseUntil: until }
            return Result.map(task.replace(snapshot, taken), () => shown(taken))
          })
          .pipe(Effect.orDie),
      begin: (uuid, dueAt, begun) =>
        database
          .write((snapshot): Result.Result<unknown, never> => {
            const present = task.find(snapshot, uuid)
            if (present === undefined) return Result.void
            task.replace(snapshot, { ...present, dueAt, isAsked: false })
            if (begun !== null) execution.insert(snapshot, begun)
            return Result.void
          })
          .pipe(Effect.asVoid),
      renew: (uuid, { until, worker }) => change(uuid, { leaseUntil: until }, (row) => row.claimedBy === worker),
      finish: (row) =>
        database
          .write((snapshot): Result.Result<unknown, never> => {
            const present = execution.find(snapshot, row.uuid)
            if (present === undefined) return Result.void
            execution.replace(snapshot, { ...present, ...row })
            for (const old of executionsOfTask.list(snapshot, row.taskUuid, { ...all, skip: mostExecutions })) {
              execution.remove(snapshot, old.id)
            }
            return Result.void
          })
          .pipe(Effect.asVoid),
      giveBack: (uuid, worker) =>
        Effect.asVoid(change(uuid, { claimedBy: null, leaseUntil: null }, (row) => row.claimedBy === worker)),
      endLeases: database.write((snapshot): Result.Result<void, never> => {
        for (const row of task.list(snapshot, all)) {
          if (row.leaseUntil !== null) task.replace(snapshot, { ...row, leaseUntil: "" })
        }
        return Result.void
      }),
      executions: (uuid) => database.read((snapshot) => executionsOfTask.list(snapshot, uuid).map(shownExecution))
    }
  })
)
