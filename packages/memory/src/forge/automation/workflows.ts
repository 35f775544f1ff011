import type { OwnedData } from "@slipway/domain"
import {
  hasState,
  type JobFilter,
  type RunFilter,
  type WorkflowJob,
  type WorkflowRun,
  type WorkflowScope,
  WorkflowSearch,
  workflowJobs,
  workflowRuns
} from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { shownRow } from "../../ownedStore.ts"
import { byId, cut } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { Tables } from "../base/tables.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

const matchesValue = <A>(asked: A | undefined, value: A): boolean => asked === undefined || asked === value

const matchesRunFilter =
  ({ actorId, commit, event, ref, state, workflow }: RunFilter) =>
  (run: WorkflowRun): boolean =>
    matchesValue<string>(workflow, run.workflow) &&
    matchesValue<string>(event, run.event) &&
    matchesValue<string>(ref, run.ref) &&
    matchesValue<string>(commit, run.commit) &&
    matchesValue<number | null>(actorId, run.actorId) &&
    hasState(state, run)

const matchesJobFilter =
  ({ givenOut, latest, runId, state }: JobFilter) =>
  (job: WorkflowJob): boolean =>
    matchesValue<number>(runId, job.runId) &&
    matchesValue(latest, job.latest) &&
    matchesValue(givenOut, job.calls === "") &&
    hasState(state, job)

/** Lists the runs of workflows and their jobs in memory. */
export const workflowSearch = Layer.effect(
  WorkflowSearch,
  Effect.map(Tables, (tables) => {
    const { database, owned } = tables

    // BOUNDARY: the rows of a kind are those that its declaration describes.
    const rowsOf = <Row>(snapshot: Snapshot, kind: OwnedData) =>
      (owned.get(kind.name)?.rows.list(snapshot, everything) ?? []).map((row) => shownRow(kind, row) as unknown as Row)

    const isListed = (snapshot: Snapshot, scope: WorkflowScope) => {
      if ("repositoryId" in scope) {
        return ({ repositoryId }: { readonly repositoryId: RepositoryId }) => repositoryId === scope.repositoryId
      }
      const reads = queriesIn(tables, snapshot).canReadUnit(scope.viewer, "repo.actions")
      return ({ ownerId, repositoryId }: Pick<WorkflowRun, "ownerId" | "repositoryId">) =>
        matchesValue(scope.ownerId, ownerId) && reads(repositoryId)
    }

    return {
      runs: (scope, filter, page) =>
        database.read((snapshot) => {
          const listed = isListed(snapshot, scope)
          const asked = matchesRunFilter(filter)
          const rows = rowsOf<WorkflowRun>(snapshot, workflowRuns).filter((run) => listed(run) && asked(run))
          return cut(rows.toReversed(), page, byId, { descending: true })
        }),
      jobs: (scope, filter, page) =>
        database.read((snapshot) => {
          const listed = isListed(snapshot, scope)
          const asked = matchesJobFilter(filter)
          const runs = new Map(rowsOf<WorkflowRun>(snapshot, workflowRuns).map((run) => [run.id, run]))
          const found = rowsOf<WorkflowJob>(snapshot, workflowJobs).filter((job) => listed(job) && asked(job))
          const descending = filter.runId === undefined
          const sorted = descending ? found.toReversed() : found
          const { rows, ...rest } = cut(sorted, page, ({ id }) => [id], { descending })
          const placed = rows.flatMap((job) => {
            const run = runs.get(job.runId)
            return run === undefined ? [] : [{ job, run }]
          })
          return { ...rest, rows: placed }
        }),
      follow: (repositoryId, ownerId) =>
        database.write((snapshot) => {
          for (const { name } of [workflowRuns, workflowJobs]) {
            const table = owned.get(name)
            for (const row of table?.scopes.get("repositoryId")?.list(snapshot, String(repositoryId)) ?? []) {
              table?.rows.replace(snapshot, { ...row, ownerId })
            }
          }
          return Result.void
        })
    }
  })
)
