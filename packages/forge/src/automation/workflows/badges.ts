import { type WorkConclusion, workflowEvents, workflowRuns } from "@slipway/domain/forge/automation"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { known } from "./Workflows.ts"

/** Which runs of a workflow a badge is about; what is left out says nothing. */
export interface BadgeAsked {
  /** The branch; defaults to the default branch. */
  readonly branch?: string | undefined
  readonly event?: string | undefined
}

/** The content of a badge: the result of the newest finished run, or nothing if there is none. */
export interface Badge {
  readonly name: string
  readonly conclusion: WorkConclusion | undefined
}

/** Reads what the badge of a workflow says; one that neither was run nor lies on the default branch has none. */
export const read = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.workflow.badge">,
  workflow: string,
  { branch = repository.defaultBranch, event: named }: BadgeAsked
) {
  const event = workflowEvents.find((each) => each === named)
  const ref = branch.startsWith("refs/") ? branch : `refs/heads/${branch}`
  const filter = { workflow, ref, status: "done", ...(event === undefined ? {} : { event }) } as const
  const { rows } = yield* (yield* workflowRuns.store).list({ repositoryId: repository.id }, { limit: 1 }, { filter })
  // There are no runs of what is no event.
  const [run] = named === undefined || event !== undefined ? rows : []
  if (run === undefined) yield* known(repository, workflow)
  return { name: run?.name ?? workflow, conclusion: run?.conclusion ?? undefined } satisfies Badge
})
