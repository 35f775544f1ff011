import type { Repository } from "@slipway/client/forge"

/**
 * Returns whether the button that opens an issue is shown. Anonymous visitors see it: it leads to the sign-in page.
 */
export const offersNewIssue = ({ archived, has_issues: hasIssues }: Repository): boolean => hasIssues && !archived

/** Returns whether the form that opens a pull request is shown. */
export const offersPull = ({ archived, has_pull_requests: hasPulls }: Repository): boolean => hasPulls && !archived

/** Returns whether buttons for those who may write are shown: for labels, milestones and releases. */
export const offersWriting = ({ archived, permissions }: Repository): boolean => permissions.push && !archived
