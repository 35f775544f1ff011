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

/** The maximum number of entries of a concurrency group that are read with one query. */
const batchSize = 1_000

/** Cancels the run or job of an entry in a concurrency group, and removes the entry. */
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

/** The maximum number of entries of a repository that are searched for deadlocks. */
const mostTurns = 10_000

/** Cancels jobs of a concurrency group that wait for each other in a cycle (deadlock). */
const endCircles = Effect.fnUntraced(function* (repository: Repository, group: string) {
  const { rows } = yield* (yield* workflowTurns.store).list({ repositoryId: repository.id }, { limit: mostTurns })
  const isStuck = (turn: WorkflowTurn) => turn.group === group && turn.holds === null && waitsForItself(turn, rows)
  for (const turn of rows.filter(isStuck)) yield* endTurn(repository, turn)
})

/**
 * Gives a concurrency group to the next run or job, and starts it. The run `entering` is not started here, because its
 * caller continues it.
 */
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
 * Decides which run or job a concurrency group runs next, and cancels runs that were replaced by newer ones.
 *
 * Locks the repository before any run. To avoid deadlocks, a caller that has locked a run must queue a job that calls
 * this function.
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

/** Queues a run that is about to begin in its concurrency group, if it has one. The repository must be locked. */
export const enterGroup = Effect.fnUntraced(function* (run: WorkflowRun) {
  const { cancels, group, id: runId, repositoryId } = run
  if (group === null) return
  const turn = { repositoryId, group, runId, slot: null, cancels, holds: null }
  yield* Effect.orDie((yield* workflowTurns.store).insert(turn))
  yield* settleTurns(repositoryId, group, runId)
})
