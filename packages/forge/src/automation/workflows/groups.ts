import type { PlainRecord, WorkflowRun } from "@slipway/domain/forge/automation"
import { isRecord } from "@slipway/domain/forge/automation"
import type { Grouped } from "./planRun.ts"

/** The fields that identify the origin of a run. */
type Started = Pick<WorkflowRun, "ref" | "trusted"> & { readonly payload: PlainRecord }

/**
 * Returns the group prefix for runs of external contributors' pull requests; undefined for runs started with write
 * access.
 */
export const externalGroupPrefix = ({ payload, ref, trusted }: Started): string => {
  const { base, head } = isRecord(payload.pull_request) ? payload.pull_request : {}
  const isForeign = isRecord(base) && isRecord(head) && base.repo_id !== head.repo_id
  if (isForeign) return `refs/pull/${String(payload.number)}/head `
  return trusted ? "" : `${ref} `
}

/** Returns the stored group; the prefix keeps external contributors, who choose branch names, out of other groups. */
export const storedGroup = ({ cancels, group }: Grouped, started: Started): Grouped => ({
  cancels,
  group: group === null ? null : `${externalGroupPrefix(started)}${group}`
})
