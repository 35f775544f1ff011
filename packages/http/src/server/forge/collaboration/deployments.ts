import type { ObjectId } from "@slipway/domain/forge/code"
import type { Deployment, DeploymentStatus } from "@slipway/domain/forge/collaboration"
import { numberIn } from "@slipway/domain/forge/entry"
import type { SeenUser, UserId } from "@slipway/domain/forge/identity"
import { Deployments } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { deploymentEndpoints } from "../../../api/forge/collaboration/deployments.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showUserTo, type ViewerResource } from "../base/show.ts"
import { linksOf } from "../code/repositoryLinks.ts"
import { handle } from "../entry/handle.ts"

type Creators = ReadonlyMap<UserId, SeenUser>

type Acting = ViewerResource & { readonly repository: Parameters<typeof linksOf>[1] }

/** Returns how deployments and their statuses are shown to the actor. */
const showingTo = Effect.fnUntraced(function* (acting: Acting, creators: Creators) {
  const { api } = linksOf(yield* PublicUrl, acting.repository)
  const showUser = yield* showUserTo(acting)
  const creatorOf = (id: UserId | null) => {
    const creator = id === null ? undefined : creators.get(id)
    return creator === undefined ? null : showUser(creator)
  }
  const urlOf = (id: number) => `${api}/deployments/${id}`
  return {
    deployment: (row: Deployment) => ({
      id: row.id,
      url: urlOf(row.id),
      sha: row.commit,
      ref: row.ref,
      task: row.task,
      environment: row.environment,
      original_environment: row.environment,
      description: row.description,
      creator: creatorOf(row.creatorId),
      transient_environment: row.isTransient,
      production_environment: row.isProduction,
      statuses_url: `${urlOf(row.id)}/statuses`,
      repository_url: api,
      created_at: row.createdAt,
      updated_at: row.updatedAt
    }),
    status: (row: DeploymentStatus, { environment, id }: Deployment) => ({
      id: row.id,
      url: `${urlOf(id)}/statuses/${row.id}`,
      state: row.state,
      description: row.description,
      environment,
      environment_url: row.environmentUrl,
      log_url: row.logUrl,
      target_url: row.logUrl,
      creator: creatorOf(row.creatorId),
      deployment_url: urlOf(id),
      repository_url: api,
      created_at: row.createdAt,
      updated_at: row.createdAt
    })
  }
})

/** The handlers of deployments and environments. */
export const layerDeployments = handle(deploymentEndpoints, {
  "repository.deployment.list": Effect.fnUntraced(function* ({ page, proof, query }) {
    const { environment, ref, sha, task } = query
    // BOUNDARY: another text matches no commit.
    const filters = { environment, ref, task, commit: sha as ObjectId | undefined }
    const { creators, more, rows, total } = yield* Deployments.list(proof, page, filters)
    const show = yield* showingTo(proof.resource, creators)
    return { rows: rows.map(show.deployment), total, more }
  }),
  "repository.deployment.create": Effect.fnUntraced(function* ({ body, proof }) {
    const { production_environment: isProduction, transient_environment: isTransient, ...said } = body
    const { creators, deployment } = yield* Deployments.create(proof, { ...said, isProduction, isTransient })
    return (yield* showingTo(proof.resource, creators)).deployment(deployment)
  }),
  "repository.deployment.read": Effect.fnUntraced(function* ({ params, proof }) {
    const { creators, deployment } = yield* Deployments.read(proof, numberIn(params.id))
    return (yield* showingTo(proof.resource, creators)).deployment(deployment)
  }),
  "repository.deployment.status.list": Effect.fnUntraced(function* ({ page, params, proof }) {
    const { creators, deployment, more, rows, total } = yield* Deployments.statuses(proof, numberIn(params.id), page)
    const show = yield* showingTo(proof.resource, creators)
    return { rows: rows.map((row) => show.status(row, deployment)), total, more }
  }),
  "repository.deployment.status.create": Effect.fnUntraced(function* ({ body, params, proof }) {
    const { environment_url: environmentUrl, log_url: logUrl, ...said } = body
    const id = numberIn(params.id)
    const { creators, deployment, status } = yield* Deployments.addStatus(proof, id, {
      ...said,
      environmentUrl,
      logUrl
    })
    return (yield* showingTo(proof.resource, creators)).status(status, deployment)
  }),
  "repository.environment.list": Effect.fnUntraced(function* ({ page, proof }) {
    const { api } = linksOf(yield* PublicUrl, proof.resource.repository)
    const { more, rows, total } = yield* Deployments.listEnvironments(proof, page)
    const shown = rows.map(({ createdAt, id, name, updatedAt }) => ({
      id,
      name,
      url: `${api}/environments/${encodeURIComponent(name)}`,
      created_at: createdAt,
      updated_at: updatedAt
    }))
    return { rows: shown, total, more }
  })
})
