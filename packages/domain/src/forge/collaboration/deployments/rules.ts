import type { AllowedPeople } from "../../code/protections/BranchProtection.ts"

/**
 * The branches from which deployments to an environment are permitted: all, those with a branch protection, or those
 * that match a pattern of the environment.
 */
export const branchPolicies = ["all", "protected", "selected"] as const
export type BranchPolicy = (typeof branchPolicies)[number]

/** The rules that a deployment to an environment must satisfy before it may run. */
export interface EnvironmentRules {
  /**
   * The possible reviewers (users and teams); one of them must approve a deployment. If empty, no approval is needed.
   */
  readonly reviewers: AllowedPeople
  /** The minutes that a deployment must wait after its creation. */
  readonly waitMinutes: number
  /** Whether the user who pushed the commit cannot review its deployment. */
  readonly preventSelfReview: boolean
  readonly branches: BranchPolicy
}

/** The rules of an environment that permits all deployments immediately. */
export const openEnvironment: EnvironmentRules = {
  reviewers: { users: [], teams: [] },
  waitMinutes: 0,
  preventSelfReview: false,
  branches: "all"
}

/** The maximum number of reviewers of an environment; the same as in GitHub. */
export const mostReviewers = 6

/** The maximum number of branch and tag patterns of an environment. */
export const mostEnvironmentPatterns = 100

/** The maximum waiting time of a deployment, in minutes (30 days); the same as in GitHub. */
export const longestWait = 43_200
