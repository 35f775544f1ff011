import { cronNext, forShares, isStoreUnavailable, now, Transaction } from "@slipway/domain"
import {
  type CronSchedule,
  deepestRun,
  mostSchedules,
  mostWorkflows,
  type Trigger,
  triggersOf,
  WorkflowFailures,
  type WorkflowSchedule,
  workflowRuns,
  workflowSchedules
} from "@slipway/domain/forge/automation"
import { NoticeStore } from "@slipway/domain/forge/background"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { pulls } from "@slipway/domain/forge/collaboration"
import type { RenderedEvent, WorkChange } from "@slipway/domain/forge/events"
import { repositoryShare, UserStore } from "@slipway/domain/forge/identity"

import { HookPayloads } from "@slipway/domain/forge/integrations"
import { Cause, Effect, Result } from "effect"
import { addJob } from "../../base/jobs/addJob.ts"
import { serviceAccount } from "../../identity/service-account/serviceAccount.ts"
import { endIfUnapproved, pusherOf, waitsForApproval } from "./approval.ts"
import { disabledIn, partsOf, resolveTrigger, runsWorkflows, startBy, startOne } from "./createRun.ts"
import { hasWorkflows, workflowsAt } from "./files.ts"

/** The stored data of an event, from which its workflow runs are started later. */
export interface StartEvent extends RenderedEvent {
  readonly id: number
}

const beginnings = ["git.push", "issue.", "pull.", "repository.release."] as const

/**
 * Returns whether a workflow run may start other runs (`workflow_run`): not while it waits for approval (invariant
 * I21), and not if the chain of runs is too long (invariant I25).
 */
const mayBeWaitedFor = ({ moved, run }: WorkChange): boolean => moved && !run.needsApproval && run.depth < deepestRun

/** Returns the data of an event that is needed to start workflow runs; undefined if such an event never starts runs. */
const startEventOf = ({ after, before, event, id }: StartEvent): StartEvent | undefined => {
  const { work } = before
  if (event.action !== "workflow.progress") {
    return beginnings.some((each) => event.action.startsWith(each)) ? { id, event, before, after } : undefined
  }
  return work !== undefined && mayBeWaitedFor(work) ? { id, event, before: { work: { ...work, jobs: [] } } } : undefined
}

/**
 * Queues a job that starts the workflow runs of an event, in the current transaction. Actions of workflow jobs start no
 * runs.
 */
export const startLater = Effect.fnUntraced(function* (event: StartEvent, repository: Repository) {
  const { actor } = event.event
  const startEvent = startEventOf(event)
  if (startEvent === undefined || !runsWorkflows(repository)) return
  const system = yield* (yield* UserStore).system
  if (actor !== null && actor.id === system?.id) return
  yield* addJob({ _tag: "StartRuns", repositoryId: repository.id, event: startEvent })
})

/** Returns the ref and the newest commit of the default branch. */
const homeOf = (repository: Repository) => resolveTrigger(repository, { commit: undefined, ref: undefined } as Trigger)

/** Stores the schedules of the workflows at a commit. Schedules that already exist keep their next start time. */
const storeSchedules = Effect.fnUntraced(function* (repository: Repository, commit: ObjectId) {
  const files = yield* workflowsAt(repository.id, commit)
  const at = yield* now
  const { id: repositoryId } = repository
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* workflowSchedules.store
      if ((yield* (yield* RepositoryStore).lock(repositoryId)) === undefined) return
      const { rows } = yield* store.list({ repositoryId }, { limit: mostWorkflows * mostSchedules })
      const known = (workflow: string, { cron, timezone }: CronSchedule): WorkflowSchedule | undefined =>
        rows.find((row) => row.workflow === workflow && row.schedule === cron && row.timezone === timezone)
      yield* store.removeWhere({ repositoryId })
      const wanted = files.flatMap(({ file, read }) =>
        Result.isSuccess(read)
          ? read.success.workflow.schedules.flatMap((each) => {
              const { cron, timezone } = each
              const dueAt = known(file, each)?.dueAt ?? cronNext(cron, at, timezone)
              return dueAt === undefined ? [] : [{ repositoryId, workflow: file, schedule: cron, timezone, dueAt }]
            })
          : []
      )
      yield* Effect.orDie(store.insertMany(wanted))
    })
  )
})

/**
 * Updates the schedules of a repository from the workflows on its default branch.
 *
 * It reads the current commit, not that of the push, because jobs are retried and may run late. Of two concurrent
 * updates, the last one reads the newest commit.
 */
const schedule = Effect.fnUntraced(function* (repository: Repository) {
  for (let stored: ObjectId | undefined; ; ) {
    const home = yield* homeOf(repository)
    if (home === undefined || home.commit === stored) return
    yield* storeSchedules(repository, home.commit)
    stored = home.commit
  }
})

/**
 * Returns whether an event can start workflows of a repository. For an event without a commit, the default branch must
 * have workflows.
 */
const mayStart = Effect.fnUntraced(function* (repository: Repository, { action }: StartEvent["event"]) {
  if (action === "git.push" || action.startsWith("pull.")) return true
  const home = yield* homeOf(repository)
  return home !== undefined && (yield* hasWorkflows(repository.id, home.commit))
})

/**
 * Returns whether a workflow job changed the head of a pull request. The actor of such an event is the author of the
 * pull request, not the job.
 */
const isMovedByJob = Effect.fnUntraced(function* ({ before: { pull }, event }: StartEvent) {
  if (event.action !== "pull.update" || pull === undefined) return false
  const system = yield* (yield* UserStore).system
  if (typeof pull.pushedBy === "number") return pull.pushedBy === system?.id
  if (pull.headRepositoryId === null) return false
  const present = yield* (yield* pulls.store).findBy("issue", { issueId: pull.issueId })
  if (system === undefined || present === undefined) return false
  const pusher = yield* pusherOf(pull.headRepositoryId, pull.headBranch, present.headSha)
  return pusher?.id === system.id
})

/** The maximum number of runs that are cancelled when a pull request closes; a cleanup task cancels further ones. */
const mostEnded = 1_000

/** Cancels the runs of a closed pull request that wait for approval. */
const endUnapproved = Effect.fnUntraced(function* (repositoryId: RepositoryId, ref: string) {
  const filter = { ref, needsApproval: true, status: "blocked" } as const
  const { rows } = yield* (yield* workflowRuns.store).list({ repositoryId }, { limit: mostEnded }, { filter })
  for (const run of rows) yield* endIfUnapproved(run)
})

/** Returns the user who caused an event. For a status change of a run, this is the user who caused the run. */
const causerOf = Effect.fnUntraced(function* ({ before: { work }, event }: StartEvent) {
  if (work === undefined) return event.actor
  const { actorId } = work.run
  const user = actorId === null ? undefined : yield* (yield* UserStore).find(actorId)
  return user === undefined ? null : { id: user.id, name: user.name }
})

/**
 * Starts the workflow runs of an event.
 *
 * If a workflow fails to start, the others are still started; then the job fails, and is retried with backoff.
 */
export const startRuns = Effect.fnUntraced(function* (repositoryId: RepositoryId, startEvent: StartEvent) {
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  if (repository === undefined || !runsWorkflows(repository) || !(yield* mayStart(repository, startEvent.event))) return
  if (yield* isMovedByJob(startEvent)) return
  const occurrences = yield* (yield* HookPayloads).render(startEvent, repository)
  const depth = startEvent.before.work === undefined ? 0 : startEvent.before.work.run.depth + 1
  const triggers = occurrences.flatMap(triggersOf).map((trigger) => ({ ...trigger, depth }))
  const home = `refs/heads/${repository.defaultBranch}`
  const failures = yield* WorkflowFailures.make
  for (const trigger of triggers) {
    if (trigger.event === "push" && trigger.ref === home) yield* failures.without(schedule(repository))
  }
  const actor = yield* causerOf(startEvent)
  const foreign = triggers.find(({ trusted }) => !trusted)
  if (foreign?.activity === "closed" && foreign.ref !== undefined) yield* endUnapproved(repositoryId, foreign.ref)
  const known = foreign === undefined || !(yield* waitsForApproval(repository, foreign, actor?.id))
  for (const [at, trigger] of triggers.entries()) {
    yield* failures.without(
      startBy(repository, trigger, { cause: `news ${startEvent.id}/${at}`, actor, inputs: {}, known }, failures)
    )
  }
  yield* failures.end
})

const startScheduled = Effect.fnUntraced(function* (due: WorkflowSchedule) {
  const repository = yield* (yield* RepositoryStore).find(due.repositoryId)
  if (repository === undefined || !runsWorkflows(repository)) return
  if ((yield* disabledIn(repository)).has(due.workflow)) return
  const { id, name } = yield* serviceAccount
  const actor = { id, name }
  const payload = { schedule: due.schedule, ...(yield* partsOf(repository, actor)) }
  const trigger: Trigger = {
    event: "schedule",
    activity: "",
    branch: undefined,
    tag: undefined,
    title: "",
    ref: undefined,
    commit: undefined,
    workflowsAt: undefined,
    files: undefined,
    trusted: true,
    payload
  }
  const home = yield* resolveTrigger(repository, trigger)
  if (home === undefined) return
  const [file] = yield* workflowsAt(repository.id, home.commit, due.workflow)
  if (file === undefined || Result.isFailure(file.read)) return
  const zone = due.timezone === "UTC" ? "" : ` ${due.timezone}`
  const cause = `schedule ${due.schedule}${zone} ${due.dueAt}`
  yield* startOne(repository, file, home, { cause, actor, inputs: {}, known: true })
})

/**
 * Returns whether a failure concerns only one schedule. An unavailable database concerns all schedules, which then stay
 * due.
 */
const isOwnFailure = (cause: Cause.Cause<never>): boolean =>
  !Cause.hasInterruptsOnly(cause) && !isStoreUnavailable(cause)

const failedSchedule = Effect.fnUntraced(function* (due: WorkflowSchedule, cause: Cause.Cause<unknown>) {
  const what = `starting scheduled workflow ${due.workflow} of repository ${due.repositoryId}`
  yield* Effect.logError(`${what} failed`, cause)
  yield* (yield* NoticeStore).add(`${what} failed; see the log of the service`, yield* now)
})

/** The maximum number of schedules that are processed in one batch. */
const batchSize = 100

/** Starts the scheduled workflows that are due. If several times of a schedule were missed, only one run starts. */
export const startDue = Effect.gen(function* () {
  const store = yield* workflowSchedules.store
  const at = yield* now
  for (let isMore = true; isMore; ) {
    const { rows } = yield* store.listEverywhere(
      { limit: batchSize },
      { filter: { dueAt: { before: at } }, order: "due" }
    )
    for (const due of rows) {
      // A failing workflow does not block the others.
      yield* forShares([repositoryShare(due.repositoryId)])(startScheduled(due)).pipe(
        Effect.catchTag("GitOverloaded", (error) => Effect.logWarning("a scheduled workflow was not started", error)),
        Effect.catchCauseIf(isOwnFailure, (cause) => failedSchedule(due, cause))
      )
      const { id, repositoryId } = due
      const dueAt = cronNext(due.schedule, at, due.timezone)
      if (dueAt === undefined) yield* store.remove({ repositoryId }, id)
      else yield* Effect.orDie(store.patch({ repositoryId }, id, { dueAt }))
    }
    isMore = rows.length === batchSize
  }
})
