import { Schema } from "effect"
import { isBranchName } from "../../../branches.ts"
import type { Application } from "../applications/Application.ts"
import { isFromGit } from "../fields/variants.ts"
import { PullRequestId } from "../previews/Preview.ts"
import type { PathMatcher } from "./PathMatcher.ts"
import { asksToSkip } from "./skipWords.ts"
import type { PullRequestEvent, PushEvent, WebhookEvent } from "./WebhookEvent.ts"
import { isWatched } from "./watchPaths.ts"

/** The reasons why a webhook delivery deploys nothing; each text completes a sentence that begins with "It". */
export const ignoredBecause = {
  ping: "is a ping",
  pull_request: "is about a pull request, and `is_preview_deployments_enabled` is false",
  pull_request_unchanged: "is about a pull request without new commits",
  pull_request_over: "arrives after the pull request was closed",
  pull_request_of_fork: "is about a pull request from another repository, which is only deployed on request",
  other_base: "is about a pull request into a branch other than `git_branch`",
  no_preview: "closes a pull request that has no preview",
  previews_full: "is about a pull request beyond the limit of previews of the application",
  preview_domain_taken: "is about a pull request with a preview address that belongs to another resource",
  preview_refused: "is about a pull request, and the settings of the application allow no preview of it",
  other_event: "is not about a push",
  unreadable: "has no readable payload",
  tag: "moves a tag",
  not_from_git: "is for an application that is not deployed from a git repository",
  auto_deploy_off: "is for an application with `is_auto_deploy_enabled` set to false",
  other_branch: "updates a branch other than `git_branch`",
  branch_deleted: "removes the branch",
  invalid_commit: "has no commit id of 40 or 64 hexadecimal digits",
  skip_asked: "pushes a commit with a skip marker in its message, and `is_commit_skip_enabled` is true",
  commit_pinned: "is for an application that `git_commit_sha` pins to a commit",
  nothing_watched: "changes no path of `watch_paths`",
  disconnected: "comes from a forge that was disconnected from this platform, or that rejects its token",
  owner_not_allowed:
    "is for an application with automatic deployments that act for an account without permission to deploy it",
  queue_full: "arrives while the deployment queue of the server is full (`deployment_queue_limit`)",
  server_in_transfer: "arrives while the server is being transferred to another instance"
} as const satisfies Record<string, string>

/** The code of a reason why a webhook delivery deploys nothing; a key of {@link ignoredBecause}. */
export type IgnoredReason = keyof typeof ignoredBecause
/** The schema of {@link IgnoredReason}. */
export const IgnoredReason = Schema.Literals(Object.keys(ignoredBecause) as ReadonlyArray<IgnoredReason>)

/** The effect of a webhook delivery: deploy a commit, deploy or remove a preview, or ignore the delivery. */
export type Decision =
  | { readonly _tag: "Deploy"; readonly commit: string }
  | {
      readonly _tag: "Preview"
      readonly pullRequestId: number
      readonly branch: string
      readonly commit: string | null
    }
  | { readonly _tag: "EndPreview"; readonly pullRequestId: number }
  | { readonly _tag: "Ignore"; readonly reason: IgnoredReason }

/**
 * Returns whether a text is a full commit id.
 *
 * @example
 * isWholeCommit("5d41402abc4b2a76b9719d911017c592aa00bb11") // => true
 * isWholeCommit("--upload-pack=x") // => false
 */
export const isWholeCommit = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

const reasonOf = (
  { configuration, variant }: Pick<Application, "configuration" | "variant">,
  push: PushEvent,
  matcher: PathMatcher["Service"]
): IgnoredReason | undefined => {
  const { git_branch, git_commit_sha, is_auto_deploy_enabled, is_commit_skip_enabled, watch_paths } = configuration
  if (!isFromGit(variant)) return "not_from_git"
  if (!is_auto_deploy_enabled) return "auto_deploy_off"
  if (push.branch !== git_branch) return "other_branch"
  if (push.deleted) return "branch_deleted"
  if (!isWholeCommit(push.commit)) return "invalid_commit"
  if (git_commit_sha !== "HEAD" && git_commit_sha !== "") return "commit_pinned"
  if (is_commit_skip_enabled && asksToSkip(push.message ?? "")) return "skip_asked"
  return isWatched(watch_paths, push.changed, matcher) ? undefined : "nothing_watched"
}

const isPullRequestId = Schema.is(PullRequestId)

const decidePullRequest = (
  { configuration, variant }: Pick<Application, "configuration" | "variant">,
  { base, change, commit, fork, head, number, open }: PullRequestEvent
): Decision => {
  const ignore = (reason: IgnoredReason): Decision => ({ _tag: "Ignore", reason })
  if (!isPullRequestId(number)) return ignore("unreadable")
  if (!isFromGit(variant)) return ignore("not_from_git")
  // An existing preview is removed regardless of the current settings.
  if (change === "closed") return { _tag: "EndPreview", pullRequestId: number }
  if (!configuration.is_preview_deployments_enabled) return ignore("pull_request")
  if (change === "other") return ignore("pull_request_unchanged")
  if (!open) return ignore("pull_request_over")
  if (fork) return ignore("pull_request_of_fork")
  if (base !== configuration.git_branch) return ignore("other_base")
  if (!isBranchName(head)) return ignore("unreadable")
  if (commit !== null && !isWholeCommit(commit)) return ignore("invalid_commit")
  return { _tag: "Preview", pullRequestId: number, branch: head, commit }
}

/** Returns the effect of a webhook event on an application, by the application's settings. */
export const decide = (
  application: Pick<Application, "configuration" | "variant">,
  event: WebhookEvent,
  matcher: PathMatcher["Service"]
): Decision => {
  switch (event._tag) {
    case "Ping":
      return { _tag: "Ignore", reason: "ping" }
    case "PullRequest":
      return decidePullRequest(application, event)
    case "Other":
      return { _tag: "Ignore", reason: "other_event" }
    case "Unreadable":
      return { _tag: "Ignore", reason: "unreadable" }
    case "Tag":
      return { _tag: "Ignore", reason: "tag" }
    case "Push": {
      const reason = reasonOf(application, event, matcher)
      return reason === undefined ? { _tag: "Deploy", commit: event.commit } : { _tag: "Ignore", reason }
    }
  }
}
