import { type Issue, IssueStore, issues, pulls, reviews } from "@slipway/domain/forge/collaboration"
import type { IssueSnapshot } from "@slipway/domain/forge/events"
import { Effect } from "effect"
import { partsOf } from "./views.ts"

/** The maximum number of review requests, and of attachments, that the snapshot of an issue contains. */
const mostRows = 100

/**
 * Reads the labels, assignees, attachments and branches of an issue in the current transaction, for webhook payloads.
 */
export const snapshotOf = Effect.fnUntraced(function* (
  issue: Issue,
  known?: Pick<IssueSnapshot, "assets" | "details">
) {
  const { id } = issue
  const { assets, details } = known ?? partsOf((yield* (yield* IssueStore).details([id])).get(id))
  const snapshot: IssueSnapshot = { issue, details, assets: assets.slice(0, mostRows) }
  if (!issue.pull) return snapshot
  const pull = yield* (yield* pulls.store).findBy("issue", { issueId: id })
  const { rows: requests } = yield* (yield* reviews.store).list(
    { issueId: id },
    { limit: mostRows },
    { filter: { state: "requested" } }
  )
  return { ...snapshot, pull, requests } satisfies IssueSnapshot
})

/** Reads an issue with its changes in the current transaction, for webhook payloads; empty if the issue was deleted. */
export const issueAfter = Effect.fnUntraced(function* ({ id, repositoryId }: Pick<Issue, "id" | "repositoryId">) {
  const issue = yield* (yield* issues.store).find({ repositoryId }, id)
  return issue === undefined ? {} : { issue: yield* snapshotOf(issue) }
})
