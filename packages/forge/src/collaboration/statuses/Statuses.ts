import type { OwnedPage, PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId } from "@slipway/domain/forge/code"
import {
  type CommitState,
  type CommitStatus,
  combinedState,
  commitStatuses,
  latestOf,
  mergePlans
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import type { SeenUser, UserId } from "@slipway/domain/forge/identity"
import { type Actor, signedInUser, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { addJobs } from "../../base/jobs/addJob.ts"
import { commitNamed } from "../../code/git/revisions.ts"

/** The maximum number of commit statuses that are read for the combined status of a commit. */
export const mostCombined = 1_000

/** The maximum number of scheduled merges that are checked again when a commit gets a status. */
const mostWaiting = 100

/** The context (name of the check) of a commit status if none is given. */
const usualContext = "default"

/** The fields of a new commit status. */
export interface NewStatus {
  readonly state: CommitState
  readonly context?: string | undefined
  readonly description?: string | undefined
  readonly targetUrl?: string | undefined
}

/** The filters and the order of a list of statuses. */
export interface StatusList {
  readonly state?: CommitState | undefined
  readonly order?: "newest" | "oldest" | undefined
}

type Statuses = ReadonlyArray<CommitStatus>

/** Finds the users who created commit statuses; those hidden from the actor are omitted. */
const creatorsOf = Effect.fnUntraced(function* (actor: Actor, statuses: Statuses) {
  const ids = [...new Set(statuses.flatMap(({ creatorId }) => (creatorId === null ? [] : [creatorId])))]
  if (ids.length === 0) return new Map<UserId, SeenUser>()
  const { rows } = yield* (yield* UserStore).search(actor, { ids }, { page: 1, perPage: ids.length })
  return new Map(rows.map((user) => [user.id, user]))
})

/** Returns the latest commit status of each check of a commit. */
export const latest = Effect.fnUntraced(function* (repositoryId: RepositoryId, commit: ObjectId) {
  const store = yield* commitStatuses.store
  const { rows } = yield* store.list({ repositoryId }, { limit: mostCombined }, { filter: { commit }, order: "newest" })
  return latestOf(rows)
})

/** Lists the commit statuses of the commit of a revision. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.commit.status.list" | "repository.status.list">,
  revision: string,
  page: OwnedPage,
  { order = "newest", state }: StatusList
) {
  const { commit } = yield* commitNamed(repository, revision)
  const store = yield* commitStatuses.store
  const listed = yield* store.list({ repositoryId: repository.id }, page, { filter: { commit, state }, order })
  return { ...listed, creators: yield* creatorsOf(actor, listed.rows) }
})

/** Returns the combined status of the commit of a revision, with one page of the latest statuses. */
export const combinedStatus = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.commit.status.combined">,
  revision: string,
  { page, perPage }: PageRequest
) {
  const { commit } = yield* commitNamed(repository, revision)
  const all = yield* latest(repository.id, commit)
  const statuses = all.slice((page - 1) * perPage, page * perPage)
  return {
    commit,
    statuses,
    total: all.length,
    state: combinedState(all.map(({ state }) => state)),
    creators: yield* creatorsOf(actor, statuses)
  }
})

/**
 * Inserts commit statuses in the current transaction, all or none, and returns them in the given order.
 *
 * Also queues jobs that check again whether scheduled merges can start.
 */
export const insertStatuses = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  statuses: ReadonlyArray<Omit<CommitStatus, "createdAt" | "id" | "repositoryId" | "updatedAt">>,
  at: string
) {
  const commits = [...new Set(statuses.map(({ commit }) => commit))]
  const { rows: waiting } = yield* (yield* mergePlans.store).list(
    { repositoryId },
    { limit: mostWaiting },
    { filter: { headSha: { in: commits } } }
  )
  yield* addJobs(waiting.map(({ issueId }) => ({ _tag: "FinishMerge", issueId })))
  return yield* (yield* commitStatuses.store)
    .insertMany(statuses.map((status) => ({ ...status, repositoryId, createdAt: at, updatedAt: at })))
    // The caller knows that all referenced rows exist.
    .pipe(Effect.orDie)
})

const createStatus = audited(
  Effect.fnUntraced(function* (
    { resource }: Proof<"repository.status.create">,
    commit: ObjectId,
    { context = "", description = "", state, targetUrl = "" }: NewStatus
  ) {
    const creatorId = signedInUser(resource).id
    const status = {
      commit,
      context: context === "" ? usualContext : context,
      state,
      description,
      targetUrl,
      creatorId
    }
    const [inserted] = yield* insertStatuses(resource.repository.id, [status], yield* now)
    return inserted as CommitStatus
  }),
  ({ commit, context, id, state }) => ({ details: { commit, context, state, id } })
)

/** Creates a commit status for the commit of a revision. */
export const create = Effect.fnUntraced(function* (
  proof: Proof<"repository.status.create">,
  revision: string,
  status: NewStatus
) {
  const { actor, repository } = proof.resource
  const { commit } = yield* commitNamed(repository, revision)
  const created = yield* createStatus(proof, commit, status)
  return { status: created, creators: yield* creatorsOf(actor, [created]) }
})
