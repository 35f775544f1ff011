import type { Repository } from "@slipway/domain/forge/code"
import type { Copying } from "@slipway/domain/forge/integrations"
import type { FileRun } from "./copyFiles.ts"
import type { OtherRefs } from "./copyPulls.ts"

/** The maximum count of copied rows of one type, such as issues or comments, per repository. */
export const most = 50_000

/** How many rows one transaction stores. */
const batch = 200

/** Splits rows into batches for storing. */
export const batchesOf = <A>(rows: ReadonlyArray<A>, size = batch): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size))

/** Returns a name in lower case, for comparison. */
export const low = (text: string): string => text.toLowerCase()

/** The input of a run that copies issues and other non-git data from a remote repository. */
export interface CopyRun extends FileRun {
  readonly repository: Repository
  readonly copying: Copying
  readonly refs: OtherRefs
}
