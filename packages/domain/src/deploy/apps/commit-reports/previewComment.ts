import type { Deployment } from "../deployments/Deployment.ts"
import { describeReport, isReportable } from "./PendingReport.ts"

/** The data about a preview that its pull request comment shows. */
export interface PreviewCommentFacts {
  /** The newest deployment of the preview. */
  readonly deployment: Pick<
    Deployment,
    "applicationName" | "commit" | "createdAt" | "finishedAt" | "reason" | "startedAt" | "status"
  >
  /** The URL of the deployed preview; undefined if it has none. */
  readonly page: string | undefined
  /** The URL of the deployment on the platform, with its log. */
  readonly log: string
  /** Whether the preview was removed. */
  readonly isRemoved: boolean
}

/** Returns a text as inline code in Markdown, in which mentions and links have no effect. */
const code = (text: string): string => `\`${text.replaceAll(/[`\p{Cc}]/gu, "")}\``

/**
 * Returns the Markdown comment about a preview for its pull request. It omits the reason of a failure, because reasons
 * may contain private output.
 */
export const previewComment = ({ deployment, isRemoved, log, page }: PreviewCommentFacts): string => {
  const title = `**Preview** ${code(deployment.applicationName)}`
  if (isRemoved) return `${title}: removed`
  const commit = isReportable(deployment.commit) ? ` at ${deployment.commit.slice(0, 10)}` : ""
  const state = `${title}: ${describeReport({ ...deployment, reason: null })}${commit}`
  const shown = deployment.status === "finished" && page !== undefined ? `Page: <${page}>` : `Deployment: <${log}>`
  return `${state}\n\n${shown}`
}
