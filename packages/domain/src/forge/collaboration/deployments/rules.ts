import type { AllowedPeople } from "../../code/protections/BranchProtection.ts"

/** The branches that may deploy: all, those with a branch protection, or those that a pattern of the environment matches. */
export const branchPolicies = ["all", "protected", "selected"] as const
export type BranchPolicy = (typeof branchPolicies)[number]

/** The rules that a deployment to an environment must satisfy before it may run. */
export interface EnvironmentRules {
  /** The users and teams of which one must approve; without any, no approval is needed. */
  readonly reviewers: AllowedPeople
  /** How many minutes a deployment waits after its creation. */
  readonly waitMinutes: number
  /** Whether the user who pushed the commit cannot review its deployment. */
  readonly preventSelfReview: boolean
  readonly branches: BranchPolicy
}

/** The rules of an environment without protection. */
export const openEnvironment: EnvironmentRules = {
  reviewers: { users: [], teams: [] },
  waitMinutes: 0,
  preventSelfReview: false,
  branches: "all"
}

/** The maximum number of reviewers of an environment, as at GitHub. */
export const mostReviewers = 6

/** The maximum number of branch and tag patterns of an environment. */
export const mostEnvironmentPatterns = 100

/** The maximum number of minutes that a deployment waits, as at GitHub. */
export const longestWait = 43_200
