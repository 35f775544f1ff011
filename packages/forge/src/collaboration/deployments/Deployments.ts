import type { OwnedPage } from "@slipway/domain"
import { nameKey, now } from "@slipway/domain"
import type { Repository } from "@slipway/domain/forge/code"
import {
  type Deployment,
  DeploymentNotFound,
  type DeploymentState,
  deploymentStatuses,
  deployments,
  environments
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import type { SeenUser, UserId } from "@slipway/domain/forge/identity"
import { type Actor, signedInUser, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { commitNamed } from "../../code/git/revisions.ts"
import { notifyPusher } from "./notifyPusher.ts"

/** The defaults of GitHub. */
const [usualTask, usualEnvironment] = ["deploy", "production"]

/** The fields of a new deployment; omitted ones take the defaults of GitHub. */
export interface NewDeployment {
  readonly ref: string
  readonly task?: string | undefined
  readonly environment?: string | undefined
  readonly description?: string | undefined
  readonly isTransient?: boolean | undefined
  readonly isProduction?: boolean | undefined
}

/** The fields of a new status. */
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

/** Finds the creators of rows, as far as the actor sees them. */
const creatorsOf = Effect.fnUntraced(function* (
  actor: Actor,
  rows: ReadonlyArray<{ readonly creatorId: UserId | null }>
) {
  const ids = [...new Set(rows.flatMap(({ creatorId }) => (creatorId === null ? [] : [creatorId])))]
  if (ids.length === 0) return new Map<UserId, SeenUser>()
  const { rows: users } = yield* (yield* UserStore).search(actor, { ids }, { page: 1, perPage: ids.length })
  return new Map(users.map((user) => [user.id, user]))
})

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
  return { ...listed, creators: yield* creatorsOf(actor, listed.rows) }
})

/** Reads a deployment. */
export const read = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.deployment.read">,
  id: number
) {
  const deployment = yield* found(repository, id)
  return { deployment, creators: yield* creatorsOf(actor, [deployment]) }
})

const createDeployment = audited(
  Effect.fnUntraced(function* (
    { resource }: Proof<"repository.deployment.create">,
    commit: Deployment["commit"],
    { description = "", environment = usualEnvironment, isProduction, isTransient = false, ref, task }: NewDeployment
  ) {
    const repositoryId = resource.repository.id
    const times = { createdAt: yield* now, updatedAt: yield* now }
    yield* Effect.orDie((yield* environments.store).insertIfAbsent({ repositoryId, name: environment, ...times }))
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
      ...times
    }
    // The proof shows that the repository and the user exist.
    return yield* Effect.orDie((yield* deployments.store).insert(deployment))
  }),
  ({ commit, environment, id }) => ({ details: { commit, environment, id } })
)

/** Creates a deployment of a revision, and its environment if the repository has none of that name. */
export const create = Effect.fnUntraced(function* (
  proof: Proof<"repository.deployment.create">,
  deployment: NewDeployment
) {
  const { actor, repository } = proof.resource
  const { commit } = yield* commitNamed(repository, deployment.ref)
  const made = yield* createDeployment(proof, commit, deployment)
  return { deployment: made, creators: yield* creatorsOf(actor, [made]) }
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

/** How many statuses are searched for an earlier failure. */
const recentStatuses = 100

const hasFailed = (state: DeploymentState | undefined): boolean => state === "error" || state === "failure"

const createStatus = audited(
  Effect.fnUntraced(function* (
    { resource }: Proof<"repository.deployment.status.create">,
    { id, repositoryId }: Deployment,
    { description = "", environmentUrl = "", logUrl = "", state }: NewDeploymentStatus
  ) {
    const at = yield* now
    const creatorId = signedInUser(resource).id
    const store = yield* deployments.store
    // A deployment that was removed meanwhile takes no status.
    const present = yield* Effect.orDie(store.patch({ repositoryId }, id, { updatedAt: at }))
    if (present === undefined) return yield* new DeploymentNotFound({ id })
    const status = { deploymentId: id, state, description, logUrl, environmentUrl, creatorId, createdAt: at }
    const statusStore = yield* deploymentStatuses.store
    const { rows } = yield* statusStore.list({ deploymentId: id }, { limit: recentStatuses }, { order: "newest" })
    const inserted = yield* Effect.orDie(statusStore.insert(status))
    // A later failure sends no second email.
    const isFirst = hasFailed(state) && !rows.some((row) => hasFailed(row.state))
    if (isFirst && present.isProduction && !present.isTransient) {
      yield* notifyPusher(resource.repository, present, inserted, creatorId)
    }
    return inserted
  }),
  ({ deploymentId, id, state }) => ({ details: { deployment: deploymentId, state, id } })
)

/**
 * Adds a status to a deployment.
 *
 * The first failure of a production deployment sends an email to the user who pushed the commit.
 */
export const addStatus = Effect.fnUntraced(function* (
  proof: Proof<"repository.deployment.status.create">,
  id: number,
  status: NewDeploymentStatus
) {
  const { actor, repository } = proof.resource
  const deployment = yield* found(repository, id)
  const made = yield* createStatus(proof, deployment, status)
  return { status: made, deployment, creators: yield* creatorsOf(actor, [made]) }
})

/** Lists the environments of a repository, oldest first. */
export const listEnvironments = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.environment.list">,
  page: OwnedPage
) {
  return yield* (yield* environments.store).list({ repositoryId: repository.id }, page, { order: "oldest" })
})
