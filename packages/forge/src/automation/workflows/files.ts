import type { WorkflowReader } from "@slipway/domain/forge/automation"
import { deepestCall, mostCalled, mostWorkflows, type Plain, type Workflow } from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId } from "@slipway/domain/forge/code"
import { type GitOverloaded, GitReader } from "@slipway/domain/forge/code"
import { Effect, Result } from "effect"
import { type BlobRead, readBlobs } from "./blobs.ts"

/** Where workflows lie: the first of these folders that is there has all of them. */
export const workflowFolders = [".forgejo/workflows", ".gitea/workflows", ".github/workflows"] as const

/** The file of a workflow, with what could be read of it, or why it couldn't be. */
export interface WorkflowFile {
  /** The name of the file, by which the workflow is known. */
  readonly file: string
  readonly path: string
  readonly read: BlobRead
}

/** A workflow that others call, with all that its file says. */
export interface CalledFile {
  readonly workflow: Workflow
  readonly written: Plain
}

/** The workflows that are called in a run, by where they lie. */
export type Called = ReadonlyMap<string, CalledFile>

const pathsIn = (workflow: Workflow): ReadonlyArray<string> => workflow.jobs.flatMap(({ call }) => call?.path ?? [])

/** Reads the workflows that one calls, and those that these call, as they are at the commit of that. */
export const calledAt = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  commit: ObjectId,
  caller: Workflow
): Effect.fn.Return<Result.Result<Called, string>, GitOverloaded, GitReader | WorkflowReader> {
  const git = yield* GitReader
  const called = new Map<string, CalledFile>()
  const budget = { left: true }
  let wanted = [...new Set(pathsIn(caller))]
  for (let depth = 1; wanted.length > 0; depth++) {
    if (depth > deepestCall) return Result.fail(`jobs: call each other more than ${deepestCall} workflows deep`)
    const fresh = wanted.filter((path) => !called.has(path))
    if (called.size + fresh.length > mostCalled) return Result.fail(`jobs: must call at most ${mostCalled} workflows`)
    const entries = yield* git.entries(repositoryId, commit, fresh)
    const missing = fresh.find((_, at) => entries[at]?.kind !== "blob")
    if (missing !== undefined) return Result.fail(`${missing.slice(0, 100)}: is not there, but is called`)
    const reads = yield* readBlobs(
      repositoryId,
      entries.flatMap((entry) => entry?.id ?? []),
      budget
    )
    for (const [at, path] of fresh.entries()) {
      const read = reads[at] ?? Result.fail("is not there")
      if (Result.isFailure(read)) return Result.fail(`${path}: ${read.failure}`)
      if (read.success.workflow.call === undefined) return Result.fail(`${path}: does not name \`workflow_call\``)
      called.set(path, read.success)
    }
    wanted = [...new Set(wanted.flatMap((path) => pathsIn(called.get(path)?.workflow ?? caller)))]
  }
  return Result.succeed(called)
})

/** Lists the files of the workflows that a commit has. */
const listed = Effect.fnUntraced(function* (repositoryId: RepositoryId, commit: ObjectId) {
  const git = yield* GitReader
  const folders = yield* git.entries(repositoryId, commit, workflowFolders)
  const at = folders.findIndex((entry) => entry?.kind === "tree")
  const folder = folders[at]
  if (folder === undefined) return []
  const { rows } = yield* git.tree(repositoryId, folder.id, { recursive: false, page: 1, perPage: 1_000 })
  return rows
    .filter(({ kind, path }) => kind === "blob" && /\.ya?ml$/.test(path))
    .slice(0, mostWorkflows)
    .map((entry) => ({ id: entry.id, file: entry.path, path: `${workflowFolders[at] ?? ""}/${entry.path}` }))
})

/** Returns whether a commit has workflows. */
export const hasWorkflows = (repositoryId: RepositoryId, commit: ObjectId) =>
  Effect.map(listed(repositoryId, commit), ({ length }) => length > 0)

/** Reads the workflows that a commit has, or that of one file. */
export const workflowsAt = Effect.fnUntraced(function* (repositoryId: RepositoryId, commit: ObjectId, only?: string) {
  const files = (yield* listed(repositoryId, commit)).filter(({ file }) => only === undefined || file === only)
  const ids = files.map(({ id }) => id)
  const reads = yield* readBlobs(repositoryId, ids, { left: true })
  return files.map(
    ({ file, path }, at): WorkflowFile => ({ file, path, read: reads[at] ?? Result.fail("is not there") })
  )
})
