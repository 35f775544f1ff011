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

/** The possible decisions of a deployment review. */
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

/** The table of deployment reviews; a deployment has at most one review. */
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

/** Whether a deployment may run (`approved`), must not run (`rejected`), or must wait. */
export type ApprovalState = "approved" | "rejected" | "waiting"

/** Whether the rules of the environment permit a deployment to run, and whether it waits for a review or a time. */
export interface Approval {
  readonly state: ApprovalState
  readonly needsReview: boolean
  /** The end of the waiting time, in ISO 8601; null if it has passed. */
  readonly waitsUntil: string | null
}

/**
 * Returns whether a deployment may run at the time `at`. A deployment that has already begun stays approved, even if
 * the rules change, unless it is rejected.
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

/** The data about a user that decides whether the user may review a deployment. */
export interface ReviewerFacts {
  readonly userId: UserId | undefined
  /** The teams of the repository's organization of which the user is a member. */
  readonly teams: ReadonlyArray<TeamId>
  /** Whether the user pushed the commit that is deployed. */
  readonly isPusher: boolean
}

/** Returns the reason why a user cannot review deployments to an environment; undefined if the user can. */
export const reviewRefusal = (
  { preventSelfReview, reviewers }: EnvironmentRules,
  { isPusher, teams, userId }: ReviewerFacts
): "not-reviewer" | "own-push" | undefined => {
  const isNamed = userId !== undefined && reviewers.users.includes(userId)
  if (!isNamed && !teams.some((team) => reviewers.teams.includes(team))) return "not-reviewer"
  return preventSelfReview && isPusher ? "own-push" : undefined
}

/** Reports that a field of the rules of an environment is invalid, with the reason. */
export class EnvironmentInvalid extends Schema.TaggedError<EnvironmentInvalid>()("EnvironmentInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}

/** Reports that the repository has no environment with this name. */
export class EnvironmentNotFound extends Schema.TaggedError<EnvironmentNotFound>()("EnvironmentNotFound", {
  name: Schema.String
}) {}

/** Reports that the rules of an environment do not permit deployments of a ref. */
export class RefNotDeployable extends Schema.TaggedError<RefNotDeployable>()("RefNotDeployable", {
  ref: Schema.String,
  environment: Schema.String,
  branches: Schema.Literals(branchPolicies)
}) {}

/** Reports that the rules of the environment do not permit a deployment to run now. */
export class DeploymentNotApproved extends Schema.TaggedError<DeploymentNotApproved>()("DeploymentNotApproved", {
  environment: Schema.String,
  state: Schema.Literals(["rejected", "waiting"])
}) {}

/** Reports that a user cannot review a deployment, with the reason. */
export class DeploymentReviewRefused extends Schema.TaggedError<DeploymentReviewRefused>()("DeploymentReviewRefused", {
  because: Schema.Literals(["begun", "not-reviewer", "own-push", "reviewed"])
}) {}
