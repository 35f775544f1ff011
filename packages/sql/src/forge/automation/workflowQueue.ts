import { type WorkflowJob, WorkflowQueue, workflowJobs } from "@slipway/domain/forge/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { time } from "../../collection/columns.ts"
import { ownedTable } from "../../owned/table.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { idParameter } from "../identity/units.ts"

/** Assigns queued workflow jobs to runners, in PostgreSQL. */
export const layerWorkflowQueue = Layer.effect(
  WorkflowQueue,
  Effect.map(SqlClient, (sql) => {
    const table = ownedTable(workflowJobs)
    const all = sql.literal(table.expressions("workflow_job"))
    const first = (rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
      // BOUNDARY: the table reads the rows that the declaration describes.
      rows[0] === undefined ? undefined : (table.read(rows[0]) as unknown as WorkflowJob)
    const at = (moment: string) => time("").write?.(moment)
    return {
      claim: (claim) => {
        const { organizationId, repositoryId, userId } = claim.of
        const ownerId = organizationId ?? userId
        const held =
          repositoryId !== null
            ? sql`repository_id = ${idParameter(repositoryId)}`
            : ownerId !== null
              ? sql`owner_id = ${idParameter(ownerId)}`
              : sql`true`
        // Skips rows that another worker has locked, so that no worker waits and no two take the same run.
        return orDieSql(
          Effect.map(
            sql`
              UPDATE workflow_job
              SET status = 'running', runner_id = ${idParameter(claim.runnerId)}, runner_name = ${claim.runnerName},
                started_at = ${at(claim.at)}, alive_at = ${at(claim.at)}
              WHERE id = (
                SELECT id FROM workflow_job
                WHERE status = 'waiting' AND ${held}
                  AND runs_on <@ array_to_json(${claim.labels}::text[])::jsonb
                ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
              )
              RETURNING ${all}`.values,
            first
          )
        )
      },
      held: (runnerId, id) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT ${all} FROM workflow_job
              WHERE id = ${idParameter(id)} AND runner_id = ${idParameter(runnerId)}`.values,
            first
          )
        )
    }
  })
)
