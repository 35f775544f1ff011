import { millisecondsOf, timeAgo } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import { GitReader, RefName } from "@slipway/domain/forge/code"
import { type ActivityPeriod, ActivityStore, activityPeriods } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { refCommit } from "../../code/git/branches.ts"
import { readableIn } from "../issues/views.ts"

/** Counts the commits of the default branch since a time, in ISO 8601. */
const commitsSince = Effect.fnUntraced(function* (
  { defaultBranch, id }: Proof<"repository.activity.read">["resource"]["repository"],
  since: string
) {
  const tip = yield* refCommit(id, RefName.make(`refs/heads/${defaultBranch}`))
  if (tip === undefined) return 0
  return yield* (yield* GitReader).count(id, { from: [tip], since: Math.floor(millisecondsOf(since) / 1000) })
})

/**
 * Counts the activity in a repository since a time, such as commits and closed issues, for the units that the caller
 * may read.
 */
export const read = Effect.fnUntraced(function* (
  { resource: { facts, repository } }: Proof<"repository.activity.read">,
  period: ActivityPeriod
) {
  const since = yield* timeAgo({ days: activityPeriods[period] })
  const counts = yield* (yield* ActivityStore).countsOf(repository.id, since)
  const { issues, pulls } = readableIn(repository, facts)
  return {
    period,
    since,
    issues: issues ? { opened: counts.issuesOpened, closed: counts.issuesClosed } : null,
    pulls: pulls ? { opened: counts.pullsOpened, merged: counts.pullsMerged, closed: counts.pullsClosed } : null,
    releases: allows("repository.release.list", facts) ? counts.releases : null,
    commits: allows("repository.commit.list", facts) ? yield* commitsSince(repository, since) : null
  }
})
