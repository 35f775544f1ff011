import { now } from "@slipway/domain"
import {
  type DeploymentDecision,
  DeploymentNotFound,
  DeploymentReviewRefused,
  deploymentReviews,
  deployments
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { approvalFor } from "./approvals.ts"
import { peopleOfRules } from "./people.ts"

/** The approval or rejection of a deployment that waits for approval. */
export interface NewDeploymentReview {
  readonly decision: DeploymentDecision
  readonly comment?: string | undefined
}

type Acting = Proof<"repository.deployment.approval.create" | "repository.deployment.approval.read">

const shown = Effect.fnUntraced(function* ({ resource: { actor, repository } }: Acting, id: number) {
  const deployment = yield* (yield* deployments.store).find({ repositoryId: repository.id }, id)
  if (deployment === undefined) return yield* new DeploymentNotFound({ id })
  const approval = yield* approvalFor(actor, repository, deployment)
  const reviewers = [approval.review?.reviewerId].filter((each) => each !== undefined && each !== null)
  return { deployment, approval, people: yield* peopleOfRules(actor, repository, [approval.rules], reviewers) }
})

/** Reads whether a deployment may run, and who may approve it. */
export const read = (proof: Proof<"repository.deployment.approval.read">, id: number) => shown(proof, id)

const createReview = audited(
  Effect.fnUntraced(function* (
    { resource }: Proof<"repository.deployment.approval.create">,
    id: number,
    { comment = "", decision }: NewDeploymentReview
  ) {
    const { actor, repository } = resource
    const deployment = yield* (yield* deployments.store).lock({ repositoryId: repository.id }, id)
    if (deployment === undefined) return yield* new DeploymentNotFound({ id })
    const { hasBegun, refusal } = yield* approvalFor(actor, repository, deployment)
    if (hasBegun) return yield* new DeploymentReviewRefused({ because: "begun" })
    if (refusal !== undefined) return yield* new DeploymentReviewRefused({ because: refusal })
    const review = {
      repositoryId: repository.id,
      deploymentId: deployment.id,
      decision,
      comment,
      reviewerId: signedInUser(resource).id,
      createdAt: yield* now
    }
    // The deployment exists, because it is locked.
    const isFirst = yield* Effect.orDie((yield* deploymentReviews.store).insertIfAbsent(review))
    if (!isFirst) return yield* new DeploymentReviewRefused({ because: "reviewed" })
    return { deployment, decision }
  }),
  ({ decision, deployment }) => ({
    details: { deployment: deployment.id, environment: deployment.environment, decision }
  })
)

/** Approves or rejects a deployment. The actor must be a reviewer of the environment. The first decision is final. */
export const review = Effect.fnUntraced(function* (
  proof: Proof<"repository.deployment.approval.create">,
  id: number,
  review: NewDeploymentReview
) {
  yield* createReview(proof, id, review)
  return yield* shown(proof, id)
})
