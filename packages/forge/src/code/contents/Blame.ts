import { ContentNotFound, GitReader, isEntryPath, type LineRange, largestBlamed } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { readDetails } from "../commits/Commits.ts"
import { commitNamed } from "../git/revisions.ts"
import { ChangeInvalid } from "./commit.ts"

/** The maximum number of lines for which one request returns the last commit. */
export const mostBlamed = 5_000

/** Returns for each line of a file the commit that last changed it. */
export const read = Effect.fnUntraced(function* (
  proof: Proof<"repository.blame">,
  path: string,
  revision: string | undefined,
  { count, from }: LineRange
) {
  const { repository } = proof.resource
  const { commit } = yield* commitNamed(repository, revision)
  if (!isEntryPath(path)) return yield* new ContentNotFound({ path })
  const reader = yield* GitReader
  const [entry] = yield* reader.entries(repository.id, commit, [path])
  if (entry === undefined || entry.kind === "tree") return yield* new ContentNotFound({ path })
  const [blob] = entry.kind === "blob" ? yield* reader.objects(repository.id, [entry.id], largestBlamed) : []
  const content = blob?.content
  if (content === undefined || entry.mode === "120000" || content.subarray(0, 8_000).includes(0))
    return yield* new ChangeInvalid({ field: "path", problem: "must name a text file of at most 1 MiB" })
  const ranges = yield* reader.blame(repository.id, commit, path, { from, count: Math.min(count, mostBlamed) })
  const ids = [...new Set(ranges.map((range) => range.commit))]
  const { commits, people } = yield* readDetails(proof, ids, { changes: false, verification: false })
  const last = content.length > 0 && content.at(-1) !== 10 ? 1 : 0
  return { commit, ranges, commits, people, total: content.filter((byte) => byte === 10).length + last }
})
