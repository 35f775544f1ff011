/** Whose pull requests from forks start runs that wait to be approved. */
export const approvalPolicies = ["newcomers", "strangers", "nobody"] as const

export type ApprovalPolicy = (typeof approvalPolicies)[number]
