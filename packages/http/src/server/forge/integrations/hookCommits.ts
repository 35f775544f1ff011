import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  type Commit,
  type FileChange,
  GitReader,
  isObjectId,
  type ObjectId,
  type PushedCommit,
  type PushedRef,
  parseTag
} from "@slipway/domain/forge/code"
import { nobody } from "@slipway/domain/forge/identity"
import { peopleBehind } from "@slipway/forge/code"
import { Effect } from "effect"
import { commitPart, objectIdsIn, type PayloadContext } from "./hookParts.ts"

// A payload that names every file of a large commit isn't useful.
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

/** Returns the webhook payloads of commits, with changed files; uses recorded data for commits missing in git. */
export const commitsOf = Effect.fnUntraced(function* (
  { repository, url }: PayloadContext,
  noted: ReadonlyArray<PushedCommit>
) {
  const git = yield* GitReader
  const ids = objectIdsIn(noted.map(({ id }) => id))
  // Data that git can't return now is left out: the push happened all the same.
  const [commits, changes] = yield* Effect.all([
    git.commits(repository.id, ids),
    git.changesOf(repository.id, ids)
  ]).pipe(Effect.catchTag("GitOverloaded", () => Effect.succeed([[], new Map<string, never>()] as const)))
  const known = new Map(commits.flatMap((commit) => (commit === undefined ? [] : [[String(commit.id), commit]])))
  const files = new Map([...changes].map(([id, changed]) => [String(id), pathsOf(changed)]))
  const people = yield* peopleBehind(nobody, [
    ...noted.map(({ email }) => ({ email })),
    ...[...known.values()].map(({ committer }) => committer)
  ])
  return noted.map((commit) => commitPart(url, commit, known.get(commit.id), files.get(commit.id), people))
})

/** For how many refs of one push the head commit is read if the push contains no new commit. */
const mostHeads = 100
/** The maximum size of an annotated tag, in bytes. */
const largestTag = 64 * 1024

const peeled = Effect.fnUntraced(function* (repository: RepositoryId, ids: ReadonlyArray<ObjectId>) {
  if (ids.length === 0) return new Map<ObjectId, Commit>()
  const git = yield* GitReader
  const tags = (yield* git.objects(repository, ids, largestTag)).flatMap((found) =>
    found?.kind === "tag" && found.content !== undefined ? [[found.id, parseTag(found.id, found.content)] as const] : []
  )
  const targets = yield* git.commits(
    repository,
    tags.map(([, { object }]) => object)
  )
  return new Map(tags.flatMap(([id], n) => (targets[n] === undefined ? [] : [[id, targets[n]] as const])))
})

/** Reads the head commits of a push's refs, by the id of each ref; annotated tags are resolved to their commit. */
export const headsOf = Effect.fnUntraced(
  function* (repository: RepositoryId, refs: ReadonlyArray<PushedRef>) {
    const ids = [...new Set(refs.flatMap(({ after }) => (after === null ? [] : [after])))]
      .filter(isObjectId)
      .slice(0, mostHeads)
    const found = yield* (yield* GitReader).commits(repository, ids)
    const tags = yield* peeled(
      repository,
      ids.filter((_, n) => found[n] === undefined)
    )
    return new Map<string, Commit>(
      ids.flatMap((id, n) => {
        const commit = found[n] ?? tags.get(id)
        return commit === undefined ? [] : [[id, commit] as const]
      })
    )
  },
  Effect.catchTag("GitOverloaded", () => Effect.succeed(new Map<string, Commit>()))
)
