/** The contributors whose pull requests from forks need approval before their workflows run. */
export const approvalPolicies = ["newcomers", "strangers", "nobody"] as const
export type ApprovalPolicy = (typeof approvalPolicies)[number]
