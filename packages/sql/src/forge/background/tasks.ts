import { PgTypes } from "@effect/sql-pg"
import { type TaskState, TaskStore } from "@slipway/domain/forge/background"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { integer, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { readAll, reader } from "../base/rows.ts"

const tasks = reader<TaskState>({
  name: text("name"),
  schedule: text("schedule"),
  dueAt: time("due_at"),
  begunAt: nullable(time("begun_at")),
  runs: integer("runs")
})

const at = (moment: string) => time("").write?.(moment)

/** Stores the due times of tasks in PostgreSQL. */
export const layerTasks = Layer.effect(
  TaskStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(tasks.of("task"))
    const some = (rows: ReadonlyArray<unknown>) => rows.length > 0
    /** Returns the condition that a run of a task still has its lease: no later run has started. */
    const held = ({ name, runs }: Pick<TaskState, "name" | "runs">) =>
      sql`name = ${name} AND runs = ${PgTypes.int4(runs)} AND held_until IS NOT NULL`
    return {
      plan: (plans) =>
        Effect.asVoid(
          orDieSql(sql`
            INSERT INTO task (name, schedule, due_at)
            SELECT name, schedule, due_at
            FROM jsonb_to_recordset(${PgTypes.jsonb(
              plans.map(({ dueAt, name, schedule }) => ({ name, schedule, due_at: dueAt }))
            )}) AS planned (name text, schedule text, due_at timestamptz)
            ON CONFLICT (name) DO UPDATE SET schedule = excluded.schedule, due_at = excluded.due_at
            WHERE task.schedule <> excluded.schedule`)
        ),
      list: orDieSql(Effect.map(sql`SELECT ${all} FROM task ORDER BY name`.values, readAll(tasks))),
      take: (names, now, until) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE task SET runs = runs + 1, begun_at = ${at(now)}, held_until = ${at(until)}
              WHERE name = ANY (
                SELECT name FROM task
                WHERE jsonb_exists(${PgTypes.jsonb(names)}, name) AND due_at <= ${at(now)}
                  AND (held_until IS NULL OR held_until <= ${at(now)})
                FOR UPDATE SKIP LOCKED
              )
              RETURNING ${all}`.values,
            readAll(tasks)
          )
        ),
      renew: (task, until) =>
        orDieSql(
          Effect.map(sql`UPDATE task SET held_until = ${at(until)} WHERE ${held(task)} RETURNING name`.values, some)
        ),
      finish: (task, dueAt) =>
        orDieSql(
          Effect.map(
            sql`UPDATE task SET due_at = ${at(dueAt)}, held_until = NULL WHERE ${held(task)} RETURNING name`.values,
            some
          )
        ),
      hasten: (name, moment) =>
        orDieSql(
          Effect.map(
            sql`UPDATE task SET due_at = least(due_at, ${at(moment)}) WHERE name = ${name} RETURNING name`.values,
            some
          )
        )
    }
  })
)
