import type { Details } from "../../identity/audit/Event.ts"

/** The old and the new name of a renamed branch. */
export interface BranchRename {
  readonly from: string
  readonly to: string
}

/** Returns the details for the event of a push that renames a branch. */
export const renameDetails = ({ from, to }: BranchRename): Details => ({ renamedFrom: from, renamedTo: to })

/** Reads the branch rename from the details of a push event; undefined for other pushes. */
export const renameIn = ({ renamedFrom, renamedTo }: Details): BranchRename | undefined =>
  typeof renamedFrom === "string" && typeof renamedTo === "string" ? { from: renamedFrom, to: renamedTo } : undefined
