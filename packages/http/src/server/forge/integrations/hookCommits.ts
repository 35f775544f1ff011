import { type FileChange, GitReader, type PushedCommit } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { commitPart, objectIdsIn, type PayloadContext } from "./hookParts.ts"

// A payload that names every file of a large commit helps nobody.
const mostFiles = 3_000

const pathsOf = (files: ReadonlyArray<FileChange>) => {
  const some = files.slice(0, mostFiles)
  const before = (status: FileChange["status"]) =>
    some.flatMap((file) => (file.status === status && file.before !== undefined ? [file.before.path] : []))
  const after = (...statuses: ReadonlyArray<FileChange["status"]>) =>
    some.flatMap((file) => (statuses.includes(file.status) && file.after !== undefined ? [file.after.path] : []))
  return {
    added: after("added", "copied", "renamed"),
    removed: [...before("deleted"), ...before("renamed")],
    modified: after("modified", "changed")
  }
}

/** Shows commits with the files that each changes; those of which git says nothing any more as they were noted. */
export const commitsOf = Effect.fnUntraced(function* (
  { repository, url }: PayloadContext,
  noted: ReadonlyArray<PushedCommit>
) {
  const git = yield* GitReader
  const ids = objectIdsIn(noted.map(({ id }) => id))
  // What git can't say now is left out: the push happened all the same.
  const [commits, changes] = yield* Effect.all([
    git.commits(repository.id, ids),
    git.changesOf(repository.id, ids)
  ]).pipe(Effect.catchTag("GitOverloaded", () => Effect.succeed([[], new Map<string, never>()] as const)))
  const known = new Map(commits.flatMap((commit) => (commit === undefined ? [] : [[String(commit.id), commit]])))
  const files = new Map([...changes].map(([id, changed]) => [String(id), pathsOf(changed)]))
  return noted.map((commit) => commitPart(url, commit, known.get(commit.id), files.get(commit.id)))
})
