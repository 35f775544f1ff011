import type { Details } from "../../identity/audit/Event.ts"

/** A renamed branch. */
export interface BranchRename {
  readonly from: string
  readonly to: string
}

/** Returns the event details of a push that renames a branch. */
export const renameDetails = ({ from, to }: BranchRename): Details => ({ renamedFrom: from, renamedTo: to })

/** Returns the branch rename in a push event's details; undefined for other pushes. */
export const renameIn = ({ renamedFrom, renamedTo }: Details): BranchRename | undefined =>
  typeof renamedFrom === "string" && typeof renamedTo === "string" ? { from: renamedFrom, to: renamedTo } : undefined
