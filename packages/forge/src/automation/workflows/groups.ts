import type { PlainRecord, WorkflowRun } from "@slipway/domain/forge/automation"
import { isRecord } from "@slipway/domain/forge/automation"
import type { Grouped } from "./expanding.ts"

/** What of a run says whose it is. */
type Started = Pick<WorkflowRun, "ref" | "trusted"> & { readonly payload: PlainRecord }

/** Returns what the groups of a stranger's pull request begin with; nothing where whoever writes the repository started it. */
export const strangersPart = ({ payload, ref, trusted }: Started): string => {
  const { base, head } = isRecord(payload.pull_request) ? payload.pull_request : {}
  const isForeign = isRecord(base) && isRecord(head) && base.repo_id !== head.repo_id
  if (isForeign) return `refs/pull/${String(payload.number)}/head `
  return trusted ? "" : `${ref} `
}

/** Returns a group as it is kept: strangers, who may name branches as they like, take the place of nobody else's runs. */
export const keptGroup = ({ cancels, group }: Grouped, started: Started): Grouped => ({
  cancels,
  group: group === null ? null : `${strangersPart(started)}${group}`
})
