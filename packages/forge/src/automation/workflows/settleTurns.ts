import { Transaction } from "@slipway/domain"
import {
  settledTurns,
  type WorkflowRun,
  type WorkflowRunId,
  type WorkflowTurn,
  waitsForItself,
  workflowRuns,
  workflowTurns
} from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { advanceRun, cancelJobs, endJobs, latestJobs } from "./advanceRun.ts"

/** How many turns of a group are inspected; all but two of them end then. */
const batchSize = 1_000

/** Ends a turn with its run or job. */
const endTurn = Effect.fnUntraced(function* (repository: Repository, { id, repositoryId, runId, slot }: WorkflowTurn) {
  const run = yield* (yield* workflowRuns.store).lock({ repositoryId }, runId)
  if (run === undefined) return
  if (slot === null) yield* cancelJobs(repository, run)
  else {
    const open = (yield* latestJobs(run)).filter((job) => job.slot === slot && job.status !== "done")
    if (open.length > 0) yield* endJobs(repository, run, open, "cancelled")
  }
  yield* (yield* workflowTurns.store).remove({ runId }, id)
})

/** How many turns of a repository are inspected for deadlocks. */
const mostTurns = 10_000

/** Cancels turns of a group that are in a deadlock. */
const endCircles = Effect.fnUntraced(function* (repository: Repository, group: string) {
  const { rows } = yield* (yield* workflowTurns.store).list({ repositoryId: repository.id }, { limit: mostTurns })
  const isStuck = (turn: WorkflowTurn) => turn.group === group && turn.holds === null && waitsForItself(turn, rows)
  for (const turn of rows.filter(isStuck)) yield* endTurn(repository, turn)
})

/** Starts the next run or job of a group, unless the entering run continues by itself. */
const takeTurn = Effect.fnUntraced(function* (
  repository: Repository,
  { group, id, repositoryId, runId }: WorkflowTurn,
  entering: WorkflowRunId | undefined
) {
  const run = yield* (yield* workflowRuns.store).lock({ repositoryId }, runId)
  const taken = yield* Effect.orDie((yield* workflowTurns.store).patch({ runId }, id, { holds: group }))
  // A run or job that ended meanwhile has released its turn, which triggers the group again.
  if (run !== undefined && taken !== undefined && runId !== entering) yield* advanceRun(repository, run, { jobs: [] })
})

/**
 * Decides the next turn in a concurrency group of a repository, and cancels superseded runs.
 *
 * Locks the repository before any run. A caller that holds a run's lock leaves this to a job, to avoid deadlocks.
 */
export const settleTurns = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  group: string,
  entering?: WorkflowRunId
) {
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const repository = yield* (yield* RepositoryStore).lock(repositoryId)
      if (repository === undefined) return
      const store = yield* workflowTurns.store
      const { rows } = yield* store.list({ repositoryId }, { limit: batchSize }, { filter: { group } })
      const { ended, taken } = settledTurns(rows)
      for (const turn of ended) yield* endTurn(repository, turn)
      if (taken !== undefined) yield* takeTurn(repository, taken, entering)
      // Only jobs can wait for each other in a cycle; a run cannot.
      if (rows.some(({ holds, slot }) => holds === null && slot !== null)) yield* endCircles(repository, group)
    })
  )
})

/** Requests the turn of a run that is about to begin, if it has a group; the repository must be locked. */
export const enterGroup = Effect.fnUntraced(function* (run: WorkflowRun) {
  const { cancels, group, id: runId, repositoryId } = run
  if (group === null) return
  const turn = { repositoryId, group, runId, slot: null, cancels, holds: null }
  yield* Effect.orDie((yield* workflowTurns.store).insert(turn))
  yield* settleTurns(repositoryId, group, runId)
})
