/** The contributors who need approval to run workflows in pull requests from forks. */
export const approvalPolicies = ["first-time-contributors", "external-contributors", "never"] as const
export type ApprovalPolicy = (typeof approvalPolicies)[number]
