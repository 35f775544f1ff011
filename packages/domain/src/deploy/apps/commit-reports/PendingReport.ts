import { elapsedMilliseconds } from "../../../Time.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ForgeLink } from "../deletions/Deletion.ts"
import type { Deployment } from "../deployments/Deployment.ts"
import { type DeploymentStatus, hasEnded } from "../deployments/states.ts"
import type { CommitState } from "../sources/ConnectedForges.ts"

/** A queued report of a deployment's progress to the forge of its repository. */
export interface PendingReport {
  /** The uuid of the deployment that is reported. */
  readonly uuid: DeploymentUuid
  readonly forgeLink: ForgeLink
  /** The state that was last reported to the forge; null before the first report. */
  readonly reported: CommitState | null
  /** The number of failed attempts since the last successful report. */
  readonly attempts: number
  /** The time of the next attempt, in ISO 8601. */
  readonly dueAt: string
  readonly createdAt: string
}

/**
 * Returns the commit state to report for a deployment status.
 *
 * @example
 * commitStateOf("checking") // => "pending"
 * commitStateOf("finished") // => "success"
 * commitStateOf("cancelled") // => "failure"
 */
export const commitStateOf = (status: DeploymentStatus): CommitState =>
  !hasEnded(status) ? "pending" : status === "finished" ? "success" : "failure"

/**
 * Returns whether a deployment must be reported: its commit is known and the state differs from the reported one, or
 * the deployment has ended.
 *
 * @example
 * isReportDue({ status: "building", commit: "HEAD" }, null) // => false
 * isReportDue({ status: "failed", commit: "HEAD" }, null) // => true
 * isReportDue({ status: "building", commit: "5d41402abc4b2a76b9719d911017c592aaaaaaaa" }, "pending") // => false
 */
export const isReportDue = (
  { commit, status }: Pick<Deployment, "commit" | "status">,
  reported: CommitState | null
): boolean => hasEnded(status) || (isReportable(commit) && reported !== commitStateOf(status))

/** Returns whether a text is a full commit SHA; forges accept commit statuses only for these. */
export const isReportable = (commit: string): boolean => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit)

/**
 * Returns the duration between two times as a short text, in seconds or in minutes and seconds.
 *
 * @example
 * durationBetween("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:12.400Z") // => "12 s"
 * durationBetween("2026-01-01T00:00:00.000Z", "2026-01-01T00:03:05.000Z") // => "3 min 5 s"
 */
export const durationBetween = (start: string, end: string): string => {
  const seconds = Math.max(0, Math.round(elapsedMilliseconds(start, end) / 1_000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** The prefixes of failure reasons that are about the repository's manifest. */
const manifestReasons = ["slipway.yaml: ", "slipway.yaml changes "]

/** The maximum length of a commit status description, in characters. */
const longestDescription = 250

/**
 * Returns the description of a commit status: a fixed phrase and a duration. It omits the reason of a failure, because
 * reasons may contain private output.
 *
 * Problems of the manifest are an exception: every user who sees the commit can also read the manifest.
 */
export const describeReport = ({
  createdAt,
  finishedAt,
  reason,
  startedAt,
  status
}: Pick<Deployment, "createdAt" | "finishedAt" | "reason" | "startedAt" | "status">): string => {
  if (!hasEnded(status)) return "Deployment in progress"
  if (status === "failed" && reason !== null && manifestReasons.some((each) => reason.startsWith(each)))
    return reason.slice(0, longestDescription).toWellFormed()
  const word =
    status === "finished" ? "Deployed in" : status === "failed" ? "Deployment failed after" : "Cancelled after"
  return `${word} ${durationBetween(startedAt ?? createdAt, finishedAt ?? startedAt ?? createdAt)}`
}
