import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import { elapsedMilliseconds, millisecondsOf, timeOf } from "../../../Time.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { Deployment, DeploymentId } from "./Deployment.ts"
import { branchPolicies, type EnvironmentRules } from "./rules.ts"

/** The schema of the id of a review of a deployment. */
export const DeploymentReviewId = Schema.Int.pipe(Schema.brand("DeploymentReviewId"))
export type DeploymentReviewId = typeof DeploymentReviewId.Type

/** The decisions of a review. */
export const deploymentDecisions = ["approved", "rejected"] as const
export type DeploymentDecision = (typeof deploymentDecisions)[number]

/** The decision of a reviewer about a deployment to a protected environment. */
export interface DeploymentReview {
  readonly id: DeploymentReviewId
  readonly repositoryId: RepositoryId
  readonly deploymentId: DeploymentId
  readonly decision: DeploymentDecision
  readonly comment: string
  readonly reviewerId: UserId | null
  readonly createdAt: string
}

/** The reviews of deployments; each deployment has at most one. */
export const deploymentReviews = owned<DeploymentReview>()("deploymentReview", {
  within: ["repositoryId", "deploymentId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    deploymentId: Fields.reference("deployment"),
    decision: Fields.oneOf(...deploymentDecisions),
    comment: Fields.text(),
    reviewerId: Fields.looseReference("user"),
    createdAt: Fields.time()
  },
  orders: { oldest: ascending() },
  unique: { deployment: ["deploymentId"] }
})

/** Whether a deployment may run, waits, or must not run. */
export type ApprovalState = "approved" | "rejected" | "waiting"

/** The state of a deployment by the rules of its environment, and what it waits for. */
export interface Approval {
  readonly state: ApprovalState
  readonly needsReview: boolean
  /** When its wait ends; null if that is over. */
  readonly waitsUntil: string | null
}

/**
 * Returns whether a deployment may run at a time. One that has begun was permitted then; later rules do not apply to it.
 *
 * @example
 * approvalOf({ reviewers: { users: [], teams: [] }, waitMinutes: 5, preventSelfReview: false, branches: "all" }, { createdAt: "2026-01-01T00:00:00.000Z" }, undefined, "2026-01-01T00:04:00.000Z") // => { state: "waiting", needsReview: false, waitsUntil: "2026-01-01T00:05:00.000Z" }
 */
export const approvalOf = (
  { reviewers, waitMinutes }: EnvironmentRules,
  { createdAt }: Pick<Deployment, "createdAt">,
  review: Pick<DeploymentReview, "decision"> | undefined,
  at: string,
  hasBegun = false
): Approval => {
  if (hasBegun && review?.decision !== "rejected") return { state: "approved", needsReview: false, waitsUntil: null }
  const milliseconds = waitMinutes * 60_000
  const waitsUntil =
    elapsedMilliseconds(createdAt, at) < milliseconds ? timeOf(millisecondsOf(createdAt) + milliseconds) : null
  const needsReview = reviewers.users.length + reviewers.teams.length > 0 && review === undefined
  if (review?.decision === "rejected") return { state: "rejected", needsReview: false, waitsUntil: null }
  return { state: needsReview || waitsUntil !== null ? "waiting" : "approved", needsReview, waitsUntil }
}

/** A user as a reviewer. */
export interface ReviewerFacts {
  readonly userId: UserId | undefined
  /** The teams of the repository's organization that the user is in. */
  readonly teams: ReadonlyArray<TeamId>
  /** Whether the user pushed the commit. */
  readonly isPusher: boolean
}

/** Returns why a user cannot review deployments to an environment; undefined if the user can. */
export const reviewRefusal = (
  { preventSelfReview, reviewers }: EnvironmentRules,
  { isPusher, teams, userId }: ReviewerFacts
): "not-reviewer" | "own-push" | undefined => {
  const isNamed = userId !== undefined && reviewers.users.includes(userId)
  if (!isNamed && !teams.some((team) => reviewers.teams.includes(team))) return "not-reviewer"
  return preventSelfReview && isPusher ? "own-push" : undefined
}

/** Reports an invalid field of the rules of an environment. */
export class EnvironmentInvalid extends Schema.TaggedError<EnvironmentInvalid>()("EnvironmentInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}

/** Reports that the repository has no such environment. */
export class EnvironmentNotFound extends Schema.TaggedError<EnvironmentNotFound>()("EnvironmentNotFound", {
  name: Schema.String
}) {}

/** Reports that the rules of an environment do not permit deployments of a ref. */
export class RefNotDeployable extends Schema.TaggedError<RefNotDeployable>()("RefNotDeployable", {
  ref: Schema.String,
  environment: Schema.String,
  branches: Schema.Literals(branchPolicies)
}) {}

/** Reports that a deployment may not run now, by the rules of its environment. */
export class DeploymentNotApproved extends Schema.TaggedError<DeploymentNotApproved>()("DeploymentNotApproved", {
  environment: Schema.String,
  state: Schema.Literals(["rejected", "waiting"])
}) {}

/** Reports that a user cannot review a deployment. */
export class DeploymentReviewRefused extends Schema.TaggedError<DeploymentReviewRefused>()("DeploymentReviewRefused", {
  because: Schema.Literals(["begun", "not-reviewer", "own-push", "reviewed"])
}) {}
