/** The contributors who need approval to run workflows in pull requests from forks. */
export const approvalPolicies = ["newcomers", "strangers", "nobody"] as const
export type ApprovalPolicy = (typeof approvalPolicies)[number]
