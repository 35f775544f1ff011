import { PgTypes } from "@effect/sql-pg"
import {
  type Execution,
  mostExecutions,
  mostTasksAtOnce,
  type ScheduledTask,
  ScheduledTaskStore
} from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../collection/collection.ts"
import { boolean, integer, moment, nullable, text, time } from "../collection/columns.ts"
import { orDieSql } from "../SqlErrors.ts"
import { reader } from "./reader.ts"

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

/** Keeps scheduled tasks in PostgreSQL. */
export const layerScheduledTasks = Layer.effect(
  ScheduledTaskStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(tasks.all)
    const isAny = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)
    return {
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
        ).pipe(isAny),
      ask: (uuid) => Effect.asVoid(orDieSql(sql`UPDATE scheduled_task SET is_asked = true WHERE uuid = ${uuid}`)),
      claim: ({ at, until, worker }) =>
        Effect.map(
          orDieSql(
            sql`
            UPDATE scheduled_task SET claimed_by = ${worker}, lease_until = ${moment(until)}
            WHERE id = (
              SELECT id FROM scheduled_task due
              WHERE ((due.lease_until IS NULL AND due.due_at <= ${moment(at)})
                OR (due.is_asked AND due.lease_until IS NULL)
                OR due.lease_until <= ${moment(at)})
                AND (due.lease_until IS NOT NULL OR ${PgTypes.int4(mostTasksAtOnce)} > (
                  SELECT count(*) FROM scheduled_task other
                  WHERE other.application_uuid = due.application_uuid AND other.lease_until IS NOT NULL))
              ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING ${all}`.values
          ),
          (rows) => tasks.read(rows)[0]
        ),
      begin: (uuid, dueAt, begun) => {
        const insert =
          begun === null
            ? sql``
            : sql`, begun AS (
                INSERT INTO task_execution (uuid, task_uuid, status, message, started_at, finished_at)
                SELECT ${begun.uuid}, uuid, ${begun.status}, ${begun.message}, ${moment(begun.startedAt)},
                  ${moment(begun.finishedAt)} FROM task)`
        return Effect.asVoid(
          orDieSql(sql`
            WITH task AS (
              UPDATE scheduled_task SET due_at = ${moment(dueAt)}, is_asked = false WHERE uuid = ${uuid} RETURNING uuid
            ) ${insert} SELECT FROM task`)
        )
      },
      renew: (uuid, { until, worker }) =>
        orDieSql(
          sql`
          UPDATE scheduled_task SET lease_until = ${moment(until)}
          WHERE uuid = ${uuid} AND claimed_by = ${worker} RETURNING id`.values
        ).pipe(isAny),
      finish: (row) =>
        Effect.asVoid(
          orDieSql(sql`
            WITH done AS (
              UPDATE task_execution SET status = ${row.status}, message = ${row.message},
                finished_at = ${moment(row.finishedAt)} WHERE uuid = ${row.uuid})
            DELETE FROM task_execution WHERE id IN (
              SELECT id FROM task_execution WHERE task_uuid = ${row.taskUuid}
              ORDER BY id DESC OFFSET ${PgTypes.int4(mostExecutions)})`)
        ),
      giveBack: (uuid, worker) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE scheduled_task SET claimed_by = NULL, lease_until = NULL
            WHERE uuid = ${uuid} AND claimed_by = ${worker}`)
        ),
      endLeases: Effect.asVoid(
        orDieSql(sql`UPDATE scheduled_task SET lease_until = 'epoch' WHERE lease_until IS NOT NULL`)
      ),
      executions: (uuid) =>
        Effect.map(
          orDieSql(
            sql`
            SELECT ${sql.literal(executions.all)} FROM task_execution WHERE task_uuid = ${lookup(uuid)}
            ORDER BY id DESC`.values
          ),
          executions.read
        )
    }
  })
)
