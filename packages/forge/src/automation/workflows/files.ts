import type { WorkflowReader } from "@slipway/domain/forge/automation"
import {
  deepestCall,
  mostCalled,
  mostWorkflows,
  type PlainValue,
  type Workflow
} from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId } from "@slipway/domain/forge/code"
import { type GitOverloaded, GitReader } from "@slipway/domain/forge/code"
import { Effect, Result } from "effect"
import { type BlobRead, readBlobs } from "./blobs.ts"

/** The folders of workflow files. Only the first one that exists in a commit is used. */
export const workflowFolders = [".forgejo/workflows", ".gitea/workflows", ".github/workflows"] as const

/** A workflow file with its parsed content, or the error message if it is invalid. */
export interface WorkflowFile {
  /** The file name, which identifies the workflow. */
  readonly file: string
  readonly path: string
  readonly read: BlobRead
}

/** A reusable workflow that another workflow calls: parsed, and as the YAML data of its file. */
export interface CalledFile {
  readonly workflow: Workflow
  readonly written: PlainValue
}

/** The reusable workflows that the workflow of a run calls, by file path. */
export type Called = ReadonlyMap<string, CalledFile>

const pathsIn = (workflow: Workflow): ReadonlyArray<string> => workflow.jobs.flatMap(({ call }) => call?.path ?? [])

/** Reads the reusable workflows that a workflow calls, directly and indirectly, from the same commit. */
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
    if (depth > deepestCall) return Result.fail(`jobs: nest more than ${deepestCall} levels of workflow calls`)
    const fresh = wanted.filter((path) => !called.has(path))
    if (called.size + fresh.length > mostCalled) return Result.fail(`jobs: must call at most ${mostCalled} workflows`)
    const entries = yield* git.entries(repositoryId, commit, fresh)
    const missing = fresh.find((_, at) => entries[at]?.kind !== "blob")
    if (missing !== undefined) return Result.fail(`${missing.slice(0, 100)}: is called, but does not exist`)
    const reads = yield* readBlobs(
      repositoryId,
      entries.flatMap((entry) => entry?.id ?? []),
      budget
    )
    for (const [at, path] of fresh.entries()) {
      const read = reads[at] ?? Result.fail("does not exist")
      if (Result.isFailure(read)) return Result.fail(`${path}: ${read.failure}`)
      if (read.success.workflow.call === undefined) return Result.fail(`${path}: does not name \`workflow_call\``)
      called.set(path, read.success)
    }
    wanted = [...new Set(wanted.flatMap((path) => pathsIn(called.get(path)?.workflow ?? caller)))]
  }
  return Result.succeed(called)
})

/** Lists the workflow files of a commit. */
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

/** Returns whether a commit contains workflow files. */
export const hasWorkflows = (repositoryId: RepositoryId, commit: ObjectId) =>
  Effect.map(listed(repositoryId, commit), ({ length }) => length > 0)

/** Reads the workflows of a commit, or one of them by file name. */
export const workflowsAt = Effect.fnUntraced(function* (repositoryId: RepositoryId, commit: ObjectId, only?: string) {
  const files = (yield* listed(repositoryId, commit)).filter(({ file }) => only === undefined || file === only)
  const ids = files.map(({ id }) => id)
  const reads = yield* readBlobs(repositoryId, ids, { left: true })
  return files.map(
    ({ file, path }, at): WorkflowFile => ({ file, path, read: reads[at] ?? Result.fail("does not exist") })
  )
})
