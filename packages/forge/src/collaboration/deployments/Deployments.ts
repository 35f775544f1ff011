import type { OwnedPage } from "@slipway/domain"
import { nameKey, now } from "@slipway/domain"
import {
  GitReader,
  type NamedCommit,
  ProtectionStore,
  protectionOf,
  type Repository,
  refParts
} from "@slipway/domain/forge/code"
import {
  type Deployment,
  DeploymentNotApproved,
  DeploymentNotFound,
  type DeploymentState,
  deploymentStatuses,
  deployments,
  type EnvironmentId,
  environmentPatterns,
  environments,
  matchesRef,
  mostEnvironmentPatterns,
  openEnvironment,
  RefNotDeployable
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import type { SeenUser, UserId } from "@slipway/domain/forge/identity"
import { type Actor, predecessorOf, signedInUser, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { commitNamed, RevisionNotFound } from "../../code/git/revisions.ts"
import { approvalFor, approvalsOf, newestStatuses, runningStates } from "./approvals.ts"
import { notifyPusher } from "./notifyPusher.ts"

/** The task and the environment of a deployment if none is given, as at GitHub. */
const [usualTask, usualEnvironment] = ["deploy", "production"]

/** The fields of a new deployment; omitted ones have the same defaults as at GitHub. */
export interface NewDeployment {
  readonly ref: string
  /** The commit to deploy, which must be in the history of the ref; by default the newest commit of the ref. */
  readonly commit?: string | undefined
  readonly task?: string | undefined
  readonly environment?: string | undefined
  readonly description?: string | undefined
  readonly isTransient?: boolean | undefined
  readonly isProduction?: boolean | undefined
}

/** The fields of a new deployment status. */
export interface NewDeploymentStatus {
  readonly state: DeploymentState
  readonly description?: string | undefined
  readonly logUrl?: string | undefined
  readonly environmentUrl?: string | undefined
}

/** The filters of a list of deployments. */
export interface DeploymentFilters {
  readonly commit?: Deployment["commit"] | undefined
  readonly ref?: string | undefined
  readonly task?: string | undefined
  readonly environment?: string | undefined
}

/** Finds the users who created deployments or statuses; those hidden from the actor are omitted. */
const creatorsOf = Effect.fnUntraced(function* (
  actor: Actor,
  rows: ReadonlyArray<{ readonly creatorId: UserId | null }>
) {
  const ids = [...new Set(rows.flatMap(({ creatorId }) => (creatorId === null ? [] : [creatorId])))]
  if (ids.length === 0) return new Map<UserId, SeenUser>()
  const { rows: users } = yield* (yield* UserStore).search(actor, { ids }, { page: 1, perPage: ids.length })
  return new Map(users.map((user) => [user.id, user]))
})

/** Reads the newest status and the approval of deployments. */
const progressOf = Effect.fnUntraced(function* (actor: Actor, repository: Repository, rows: ReadonlyArray<Deployment>) {
  const newest = yield* newestStatuses(rows)
  const approvals = yield* approvalsOf(actor, repository, rows, newest)
  return ({ id }: Deployment) => {
    const approval = approvals.get(id)
    const status = newest.get(id)?.[0]
    return {
      state: status?.state ?? "pending",
      pageUrl: status?.environmentUrl ?? "",
      logUrl: status?.logUrl ?? "",
      approval: approval?.state ?? "approved",
      canReview: approval?.canReview ?? false
    }
  }
})

/** The progress of deployments: the newest status of each, and its approval. */
export type DeploymentProgress = Effect.Success<ReturnType<typeof progressOf>>

const found = Effect.fnUntraced(function* ({ id: repositoryId }: Pick<Repository, "id">, id: number) {
  const deployment = yield* (yield* deployments.store).find({ repositoryId }, id)
  return deployment ?? (yield* new DeploymentNotFound({ id }))
})

/** Lists the deployments of a repository, newest first. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.deployment.list">,
  page: OwnedPage,
  filter: DeploymentFilters
) {
  const store = yield* deployments.store
  const listed = yield* store.list({ repositoryId: repository.id }, page, { filter, order: "newest" })
  return {
    ...listed,
    creators: yield* creatorsOf(actor, listed.rows),
    progress: yield* progressOf(actor, repository, listed.rows)
  }
})

/** Reads a deployment. */
export const read = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.deployment.read">,
  id: number
) {
  const deployment = yield* found(repository, id)
  return {
    deployment,
    creators: yield* creatorsOf(actor, [deployment]),
    progress: yield* progressOf(actor, repository, [deployment])
  }
})

/**
 * Resolves the ref of a new deployment to its commit. If the request contains a commit, it must be in the history of
 * the ref.
 */
const commitOf = Effect.fnUntraced(function* (repository: Repository, { commit, ref }: NewDeployment) {
  const named = yield* commitNamed(repository, ref)
  if (commit === undefined || commit === named.commit) return named
  const wanted = yield* commitNamed(repository, commit)
  const divergence = yield* (yield* GitReader).divergence(repository.id, named.commit, wanted.commit)
  if (divergence?.ahead !== 0) return yield* new RevisionNotFound({ name: commit })
  return { ...named, commit: wanted.commit }
})

const isProtectedBranch = Effect.fnUntraced(function* (repository: Repository, ref: NamedCommit["ref"]) {
  const parts = ref === undefined ? undefined : refParts(ref)
  if (parts?.kind !== "branch") return false
  const branches = yield* (yield* ProtectionStore).branches(repository.id)
  return protectionOf(branches, parts.name) !== undefined
})

const matchesPattern = Effect.fnUntraced(function* (environmentId: EnvironmentId, ref: NamedCommit["ref"]) {
  const page = { page: 1, perPage: mostEnvironmentPatterns }
  const { rows } = yield* (yield* environmentPatterns.store).list({ environmentId }, page)
  return matchesRef(rows, ref)
})

/** Fails if the protection rules of an environment do not permit deployments of a ref. */
const requireDeployable = Effect.fnUntraced(function* (
  repository: Repository,
  ref: NamedCommit["ref"],
  { environment = usualEnvironment, ref: name }: NewDeployment
) {
  const found = yield* (yield* environments.store).findBy("name", { repositoryId: repository.id, name: environment })
  if (found === undefined || found.branches === "all") return
  const { branches, id } = found
  const isDeployable =
    branches === "selected" ? yield* matchesPattern(id, ref) : yield* isProtectedBranch(repository, ref)
  if (!isDeployable) return yield* new RefNotDeployable({ ref: name, environment, branches })
})

/**
 * Returns the id of the actor's token; null without a token. While a token is rotated, its unconfirmed successor counts
 * as the same token.
 */
const tokenOf = ({ token }: Actor) => (token === undefined ? null : (predecessorOf(token) ?? token.id))

const createDeployment = audited(
  Effect.fnUntraced(function* (
    { resource }: Proof<"repository.deployment.create">,
    { commit, ref: resolved }: NamedCommit,
    sent: NewDeployment
  ) {
    const { description = "", environment = usualEnvironment, isProduction, isTransient = false, ref, task } = sent
    const repositoryId = resource.repository.id
    yield* requireDeployable(resource.repository, resolved, sent)
    const times = { createdAt: yield* now, updatedAt: yield* now }
    yield* Effect.orDie(
      (yield* environments.store).insertIfAbsent({ repositoryId, name: environment, ...openEnvironment, ...times })
    )
    const deployment = {
      repositoryId,
      commit,
      ref,
      task: task ?? usualTask,
      environment,
      description,
      isTransient,
      isProduction: isProduction ?? nameKey(environment) === usualEnvironment,
      creatorId: signedInUser(resource).id,
      isByToken: resource.actor.token !== undefined,
      tokenId: tokenOf(resource.actor),
      ...times
    }
    // The proof shows that the repository and the user exist.
    return yield* Effect.orDie((yield* deployments.store).insert(deployment))
  }),
  ({ commit, environment, id }) => ({ details: { commit, environment, id } })
)

/**
 * Creates a deployment of a revision, and its environment if the repository has none of that name.
 *
 * Fails if the rules of the environment do not permit deployments of the ref.
 */
export const create = Effect.fnUntraced(function* (
  proof: Proof<"repository.deployment.create">,
  deployment: NewDeployment
) {
  const { actor, repository } = proof.resource
  const created = yield* createDeployment(proof, yield* commitOf(repository, deployment), deployment)
  return {
    deployment: created,
    creators: yield* creatorsOf(actor, [created]),
    progress: yield* progressOf(actor, repository, [created])
  }
})

/** Lists the statuses of a deployment, newest first. */
export const statuses = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.deployment.status.list">,
  id: number,
  page: OwnedPage
) {
  const deployment = yield* found(repository, id)
  const store = yield* deploymentStatuses.store
  const listed = yield* store.list({ deploymentId: deployment.id }, page, { order: "newest" })
  return { ...listed, deployment, creators: yield* creatorsOf(actor, listed.rows) }
})

/** The number of recent statuses that are searched for an earlier failure. */
const recentStatuses = 100

const hasFailed = (state: DeploymentState | undefined): boolean => state === "error" || state === "failure"

const createStatus = audited(
  Effect.fnUntraced(function* (
    { resource }: Proof<"repository.deployment.status.create">,
    id: number,
    { description = "", environmentUrl = "", logUrl = "", state }: NewDeploymentStatus
  ) {
    const { actor, repository } = resource
    const at = yield* now
    const creatorId = signedInUser(resource).id
    const store = yield* deployments.store
    // Locked, so that a concurrent review of the deployment waits.
    const present = yield* store.lock({ repositoryId: repository.id }, id)
    if (present === undefined) return yield* new DeploymentNotFound({ id })
    const approval = yield* approvalFor(actor, repository, present)
    if (approval.state !== "approved" && runningStates.includes(state)) {
      return yield* new DeploymentNotApproved({ environment: present.environment, state: approval.state })
    }
    yield* Effect.orDie(store.patch({ repositoryId: repository.id }, present.id, { updatedAt: at }))
    const status = { deploymentId: present.id, state, description, logUrl, environmentUrl, creatorId, createdAt: at }
    const statusStore = yield* deploymentStatuses.store
    const { rows } = yield* statusStore.list(
      { deploymentId: present.id },
      { limit: recentStatuses },
      { order: "newest" }
    )
    const inserted = yield* Effect.orDie(statusStore.insert(status))
    // A later failure sends no second email.
    const isFirst = hasFailed(state) && !rows.some((row) => hasFailed(row.state))
    if (isFirst && present.isProduction && !present.isTransient) {
      yield* notifyPusher(resource.repository, present, inserted, creatorId)
    }
    return { status: inserted, deployment: { ...present, updatedAt: at } }
  }),
  ({ status: { deploymentId, id, state } }) => ({ details: { deployment: deploymentId, state, id } })
)

/**
 * Adds a status to a deployment. Fails if the deployment needs an approval first, and the status means progress or
 * success.
 *
 * The first failure of a production deployment sends an email to the user who pushed the commit.
 */
export const addStatus = Effect.fnUntraced(function* (
  proof: Proof<"repository.deployment.status.create">,
  id: number,
  status: NewDeploymentStatus
) {
  const created = yield* createStatus(proof, id, status)
  return { ...created, creators: yield* creatorsOf(proof.resource.actor, [created.status]) }
})
