/** The ways in which a pull request is merged. */
export const mergeStyleNames = [
  "merge",
  "rebase",
  "rebase-merge",
  "squash",
  "fast-forward-only",
  "manually-merged"
] as const
export type MergeStyle = (typeof mergeStyleNames)[number]
