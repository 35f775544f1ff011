/** The event types of webhooks, each with the values of the two HTTP headers that contain its name. */
export const hookEvents = {
  create: { event: "create", type: "create" },
  delete: { event: "delete", type: "delete" },
  fork: { event: "fork", type: "fork" },
  push: { event: "push", type: "push" },
  issues: { event: "issues", type: "issues" },
  issue_assign: { event: "issues", type: "issue_assign" },
  issue_label: { event: "issues", type: "issue_label" },
  issue_milestone: { event: "issues", type: "issue_milestone" },
  issue_comment: { event: "issue_comment", type: "issue_comment" },
  pull_request: { event: "pull_request", type: "pull_request" },
  pull_request_assign: { event: "pull_request", type: "pull_request_assign" },
  pull_request_label: { event: "pull_request", type: "pull_request_label" },
  pull_request_milestone: { event: "pull_request", type: "pull_request_milestone" },
  pull_request_comment: { event: "issue_comment", type: "pull_request_comment" },
  pull_request_review_approved: { event: "pull_request_approved", type: "pull_request_review_approved" },
  pull_request_review_rejected: { event: "pull_request_rejected", type: "pull_request_review_rejected" },
  pull_request_review_comment: { event: "pull_request_comment", type: "pull_request_review_comment" },
  pull_request_sync: { event: "pull_request", type: "pull_request_sync" },
  pull_request_review_request: { event: "pull_request", type: "pull_request_review_request" },
  wiki: { event: "wiki", type: "wiki" },
  repository: { event: "repository", type: "repository" },
  release: { event: "release", type: "release" },
  package: { event: "package", type: "package" },
  status: { event: "status", type: "status" },
  workflow_run: { event: "workflow_run", type: "workflow_run" },
  workflow_job: { event: "workflow_job", type: "workflow_job" }
} as const
export type HookEvent = keyof typeof hookEvents

/** All event types of webhooks, in the order of `hookEvents`. */
export const hookEventNames = Object.keys(hookEvents) as ReadonlyArray<HookEvent>

const some = (beginning: string) => hookEventNames.filter((name) => name.startsWith(beginning))

/** The names of groups of event types that requests can contain, each with its event types. */
const groups = {
  "*": hookEventNames,
  send_everything: hookEventNames,
  issues: ["issues", ...some("issue_")],
  issues_only: ["issues"],
  pull_request: some("pull_request"),
  pull_request_only: ["pull_request"],
  pull_request_review: ["pull_request_review_approved", "pull_request_review_rejected", "pull_request_review_comment"]
} as const satisfies Readonly<Record<string, ReadonlyArray<HookEvent>>>

/** All names that requests can contain in place of event types: the event types and the groups. */
export const hookEventWords = [...new Set([...hookEventNames, ...Object.keys(groups)])] as ReadonlyArray<
  HookEvent | keyof typeof groups
>
export type HookEventWord = (typeof hookEventWords)[number]

/**
 * Returns the event types for names of event types or groups; only `push` if there are no names.
 *
 * @example
 * eventsOf([]) // => ["push"]
 * eventsOf(["issues_only", "push"]) // => ["push", "issues"]
 */
export const eventsOf = (words: ReadonlyArray<HookEventWord>): ReadonlyArray<HookEvent> => {
  const named = words.flatMap(
    (word): ReadonlyArray<HookEvent> => (word in groups ? groups[word as keyof typeof groups] : [word as HookEvent])
  )
  return named.length === 0 ? ["push"] : hookEventNames.filter((name) => named.includes(name))
}
