import { type WorkConclusion, workflowEvents, workflowRuns } from "@slipway/domain/forge/automation"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { known } from "./Workflows.ts"

/** The filters of the runs for a status badge. */
export interface BadgeFilters {
  /** The branch of the runs; by default the default branch. */
  readonly branch?: string | undefined
  readonly event?: string | undefined
}

/** The content of a status badge: the result of the newest finished run, or null if there is none. */
export interface Badge {
  readonly name: string
  readonly conclusion: WorkConclusion | undefined
}

/** Reads the status badge of a workflow. Fails if the workflow has no runs and is not on the default branch. */
export const read = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.workflow.badge">,
  workflow: string,
  { branch = repository.defaultBranch, event: named }: BadgeFilters
) {
  const event = workflowEvents.find((each) => each === named)
  const ref = branch.startsWith("refs/") ? branch : `refs/heads/${branch}`
  const filter = { workflow, ref, status: "done", ...(event === undefined ? {} : { event }) } as const
  const { rows } = yield* (yield* workflowRuns.store).list({ repositoryId: repository.id }, { limit: 1 }, { filter })
  // An unknown event has no runs.
  const [run] = named === undefined || event !== undefined ? rows : []
  if (run === undefined) yield* known(repository, workflow)
  return { name: run?.name ?? workflow, conclusion: run?.conclusion ?? undefined } satisfies Badge
})
