import { PgTypes } from "@effect/sql-pg"
import {
  type Execution,
  mostConcurrentTasks,
  mostExecutions,
  type ScheduledTask,
  ScheduledTaskStore
} from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { boolean, integer, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader } from "../base/reader.ts"
import { dueStore } from "./due.ts"

const tasks = reader<ScheduledTask>("scheduled_task", {
  id: integer("id"),
  uuid: text("uuid"),
  applicationUuid: text("application_uuid"),
  name: text("name"),
  command: text("command"),
  frequency: text("frequency"),
  container: nullable(text("container")),
  timeout: integer("timeout"),
  isEnabled: boolean("is_enabled"),
  dueAt: nullable(time("due_at")),
  isAsked: boolean("is_asked"),
  createdAt: time("created_at"),
  updatedAt: time("updated_at")
})

const executions = reader<Execution>("task_execution", {
  uuid: text("uuid"),
  taskUuid: text("task_uuid"),
  status: text("status"),
  message: nullable(text("message")),
  startedAt: time("started_at"),
  finishedAt: nullable(time("finished_at"))
})

/** Stores scheduled tasks in PostgreSQL. */
export const layerScheduledTasks = Layer.effect(
  ScheduledTaskStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(tasks.all)
    const isAny = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)
    return {
      ...dueStore(sql, {
        table: "scheduled_task",
        rows: tasks,
        owner: "application_uuid",
        mostAtOnce: mostConcurrentTasks,
        takeLock: 5_310_003,
        runTable: "task_execution",
        runs: executions,
        of: "task_uuid",
        forget: ({ taskUuid }) => sql`
          DELETE FROM task_execution WHERE id IN (
            SELECT id FROM task_execution WHERE task_uuid = ${taskUuid}
            ORDER BY id DESC OFFSET ${PgTypes.int4(mostExecutions)})`
      }),
      ofApplication: (uuid) =>
        Effect.map(
          orDieSql(sql`SELECT ${all} FROM scheduled_task WHERE application_uuid = ${lookup(uuid)} ORDER BY id`.values),
          tasks.read
        ),
      insert: (row) =>
        Effect.map(
          orDieSql(
            sql`
            INSERT INTO scheduled_task (uuid, application_uuid, name, command, frequency, container, timeout, is_enabled,
              due_at, is_asked, created_at, updated_at)
            SELECT ${row.uuid}, uuid, ${row.name}, ${row.command}, ${row.frequency}, ${row.container},
              ${PgTypes.int4(row.timeout)}, ${PgTypes.bool(row.isEnabled)}, ${moment(row.dueAt)},
              ${PgTypes.bool(row.isAsked)}, ${moment(row.createdAt)}, ${moment(row.updatedAt)}
            FROM application WHERE uuid = ${row.applicationUuid}
            RETURNING ${all}`.values
          ),
          (rows) => tasks.read(rows)[0]
        ),
      replace: (row) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE scheduled_task SET name = ${row.name}, command = ${row.command}, frequency = ${row.frequency},
              container = ${row.container}, timeout = ${PgTypes.int4(row.timeout)},
              is_enabled = ${PgTypes.bool(row.isEnabled)},
              -- A worker may have moved it on since the row was read.
              due_at = CASE WHEN frequency = ${row.frequency} AND is_enabled = ${PgTypes.bool(row.isEnabled)}
                THEN due_at ELSE ${moment(row.dueAt)} END,
              updated_at = ${moment(row.updatedAt)}
            WHERE uuid = ${row.uuid}`)
        ),
      remove: (application, uuid) =>
        orDieSql(
          sql`
          DELETE FROM scheduled_task WHERE application_uuid = ${lookup(application)} AND uuid = ${lookup(uuid)}
          RETURNING id`.values
        ).pipe(isAny)
    }
  })
)
