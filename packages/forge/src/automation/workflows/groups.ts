import type { PlainRecord, WorkflowRun } from "@slipway/domain/forge/automation"
import { isRecord } from "@slipway/domain/forge/automation"
import type { Grouped } from "./planRun.ts"

/** The fields of a run that show who started it: its ref, its event, and whether it was started with write access. */
type Started = Pick<WorkflowRun, "ref" | "trusted"> & { readonly payload: PlainRecord }

/**
 * Returns the prefix that separates the concurrency groups of external contributors' pull requests from all others;
 * empty for runs that were started with write access.
 */
export const externalGroupPrefix = ({ payload, ref, trusted }: Started): string => {
  const { base, head } = isRecord(payload.pull_request) ? payload.pull_request : {}
  const isForeign = isRecord(base) && isRecord(head) && base.repo_id !== head.repo_id
  if (isForeign) return `refs/pull/${String(payload.number)}/head `
  return trusted ? "" : `${ref} `
}

/**
 * Returns the concurrency group to store, with its prefix. External contributors choose branch names, so without the
 * prefix they could interfere with the groups of others.
 */
export const storedGroup = ({ cancels, group }: Grouped, started: Started): Grouped => ({
  cancels,
  group: group === null ? null : `${externalGroupPrefix(started)}${group}`
})
