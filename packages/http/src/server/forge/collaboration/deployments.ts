import type { ObjectId } from "@slipway/domain/forge/code"
import type {
  Deployment,
  DeploymentStatus,
  Environment,
  EnvironmentPattern,
  EnvironmentRules
} from "@slipway/domain/forge/collaboration"
import { numberIn } from "@slipway/domain/forge/entry"
import type { SeenUser, TeamId, UserId } from "@slipway/domain/forge/identity"
import { DeploymentApprovals, Deployments, EnvironmentPatterns, Environments } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { deploymentEndpoints } from "../../../api/forge/collaboration/deployments.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showUserTo, type ViewerResource } from "../base/show.ts"
import { linksOf } from "../code/repositoryLinks.ts"
import { handle } from "../entry/handle.ts"

type Creators = ReadonlyMap<UserId, SeenUser>

type Acting = ViewerResource & { readonly repository: Parameters<typeof linksOf>[1] }

/** Returns functions that convert deployments and their statuses to API responses for the actor. */
const showingTo = Effect.fnUntraced(function* (acting: Acting, creators: Creators) {
  const { api } = linksOf(yield* PublicUrl, acting.repository)
  const showUser = yield* showUserTo(acting)
  const creatorOf = (id: UserId | null) => {
    const creator = id === null ? undefined : creators.get(id)
    return creator === undefined ? null : showUser(creator)
  }
  const urlOf = (id: number) => `${api}/deployments/${id}`
  return {
    deployment: (
      row: Deployment,
      { approval, canReview, logUrl, pageUrl, state }: ReturnType<Deployments.DeploymentProgress>
    ) => ({
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
      state,
      approval: { state: approval, current_user_can_approve: canReview },
      environment_url: pageUrl,
      log_url: logUrl,
      connected: !row.isByToken || row.tokenId !== null,
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

type People = Effect.Success<ReturnType<typeof DeploymentApprovals.read>>["people"]

/** Converts the reviewers of an environment to API responses; leaves out those hidden from the actor. */
const showReviewers = ({ reviewers }: EnvironmentRules, { teams, users }: People) => [
  ...reviewers.users.flatMap((id) => {
    const user = users.get(id)
    return user === undefined ? [] : [{ type: "User", reviewer: { id, login: user.name } } as const]
  }),
  ...reviewers.teams.flatMap((id) => {
    const name = teams.get(id)?.name
    return name === undefined
      ? []
      : [{ type: "Team", reviewer: { id, name, slug: Environments.slugOf(name) } } as const]
  })
]

const environmentUrl = (api: string, name: string): string => `${api}/environments/${encodeURIComponent(name)}`

const showEnvironment = (api: string, row: Environment, people: People) => ({
  id: row.id,
  name: row.name,
  url: environmentUrl(api, row.name),
  protection_rules: [
    ...(row.waitMinutes === 0 ? [] : [{ type: "wait_timer", wait_timer: row.waitMinutes } as const]),
    ...(row.reviewers.users.length + row.reviewers.teams.length === 0
      ? []
      : [
          {
            type: "required_reviewers",
            prevent_self_review: row.preventSelfReview,
            reviewers: showReviewers(row, people)
          } as const
        ]),
    ...(row.branches === "all" ? [] : [{ type: "branch_policy" } as const])
  ],
  deployment_branch_policy:
    row.branches === "all"
      ? null
      : { protected_branches: row.branches === "protected", custom_branch_policies: row.branches === "selected" },
  created_at: row.createdAt,
  updated_at: row.updatedAt
})

const showPattern = ({ id, name, type }: EnvironmentPattern) => ({ id, name, type })

const showApproval = Effect.fnUntraced(function* (
  acting: Acting,
  { approval, deployment, people }: Effect.Success<ReturnType<typeof DeploymentApprovals.read>>
) {
  const { api } = linksOf(yield* PublicUrl, acting.repository)
  const showUser = yield* showUserTo(acting)
  const { canReview, review, rules, state, waitsUntil } = approval
  const reviewer = review?.reviewerId == null ? undefined : people.users.get(review.reviewerId)
  return {
    environment: { name: deployment.environment, url: environmentUrl(api, deployment.environment) },
    state,
    wait_timer: rules.waitMinutes,
    wait_timer_started_at: deployment.createdAt,
    waiting_until: waitsUntil,
    current_user_can_approve: canReview,
    reviewers: showReviewers(rules, people),
    review:
      review === undefined
        ? null
        : {
            state: review.decision,
            comment: review.comment,
            user: reviewer === undefined ? null : showUser(reviewer),
            created_at: review.createdAt
          }
  }
})

/** The handlers of deployments and environments. */
export const layerDeployments = handle(deploymentEndpoints, {
  "repository.deployment.list": Effect.fnUntraced(function* ({ page, proof, query }) {
    const { environment, ref, sha, task } = query
    // BOUNDARY: another text matches no commit.
    const filters = { environment, ref, task, commit: sha as ObjectId | undefined }
    const { creators, more, progress, rows, total } = yield* Deployments.list(proof, page, filters)
    const show = yield* showingTo(proof.resource, creators)
    return { rows: rows.map((row) => show.deployment(row, progress(row))), total, more }
  }),
  "repository.deployment.create": Effect.fnUntraced(function* ({ body, proof }) {
    const { production_environment: isProduction, sha: commit, transient_environment: isTransient, ...said } = body
    const wanted = { ...said, commit, isProduction, isTransient }
    const { creators, deployment, progress } = yield* Deployments.create(proof, wanted)
    return (yield* showingTo(proof.resource, creators)).deployment(deployment, progress(deployment))
  }),
  "repository.deployment.read": Effect.fnUntraced(function* ({ params, proof }) {
    const { creators, deployment, progress } = yield* Deployments.read(proof, numberIn(params.id))
    return (yield* showingTo(proof.resource, creators)).deployment(deployment, progress(deployment))
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
    const { more, people, rows, total } = yield* Environments.list(proof, page)
    return { rows: rows.map((row) => showEnvironment(api, row, people)), total, more }
  }),
  "repository.environment.read": Effect.fnUntraced(function* ({ params, proof }) {
    const { api } = linksOf(yield* PublicUrl, proof.resource.repository)
    const { environment, people } = yield* Environments.read(proof, params.environment)
    return showEnvironment(api, environment, people)
  }),
  "repository.environment.set": Effect.fnUntraced(function* ({ body, params, proof }) {
    const { api } = linksOf(yield* PublicUrl, proof.resource.repository)
    const { deployment_branch_policy: policy, prevent_self_review, reviewers = [], wait_timer } = body
    const { environment, people } = yield* Environments.set(proof, params.environment, {
      waitMinutes: wait_timer ?? 0,
      preventSelfReview: prevent_self_review ?? false,
      branches: policy === undefined ? "all" : policy.protected_branches ? "protected" : "selected",
      // BOUNDARY: an id of no user or team is reported as missing.
      reviewers: reviewers.map(({ id, type }) =>
        type === "User" ? { type, id: id as UserId } : { type, id: id as TeamId }
      )
    })
    return showEnvironment(api, environment, people)
  }),
  "repository.environment.delete": ({ params, proof }) => Environments.remove(proof, params.environment),
  "repository.environment.policy.list": Effect.fnUntraced(function* ({ page, params, proof }) {
    const { more, rows, total } = yield* EnvironmentPatterns.list(proof, params.environment, page)
    return { rows: rows.map(showPattern), total, more }
  }),
  "repository.environment.policy.create": Effect.fnUntraced(function* ({ body, params, proof }) {
    const { name, type = "branch" } = body
    const { pattern } = yield* EnvironmentPatterns.create(proof, params.environment, { name, type })
    return showPattern(pattern)
  }),
  "repository.environment.policy.read": Effect.fnUntraced(function* ({ params, proof }) {
    return showPattern(yield* EnvironmentPatterns.read(proof, params.environment, numberIn(params.id)))
  }),
  "repository.environment.policy.update": Effect.fnUntraced(function* ({ body, params, proof }) {
    const id = numberIn(params.id)
    return showPattern((yield* EnvironmentPatterns.update(proof, params.environment, id, body.name)).pattern)
  }),
  "repository.environment.policy.delete": ({ params, proof }) =>
    EnvironmentPatterns.remove(proof, params.environment, numberIn(params.id)),
  "repository.deployment.approval.read": Effect.fnUntraced(function* ({ params, proof }) {
    return yield* showApproval(proof.resource, yield* DeploymentApprovals.read(proof, numberIn(params.id)))
  }),
  "repository.deployment.approval.create": Effect.fnUntraced(function* ({ body, params, proof }) {
    const { comment, state: decision } = body
    const reviewed = yield* DeploymentApprovals.review(proof, numberIn(params.id), { decision, comment })
    return yield* showApproval(proof.resource, reviewed)
  })
})
